"""Every operation against plain loops over nodes and edges in float64: values and gradients."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from argnp.ops.catalogue import node_operations, relation_operations
from argnp.ops.modules import NodeOperation, RelationOperation
from argnp.ops.reference import weights_of
from argnp.ops.topology import topology_from_edge_index

EPS = 1e-5
NODE_DIM, EDGE_DIM = 3, 2


@dataclass(frozen=True)
class Graph:
    nodes: int
    edges: tuple[tuple[int, int], ...]
    batch: tuple[int, ...] | None = None


GRAPHS = {
    "ordinary": Graph(5, ((0, 1), (1, 0), (1, 2), (2, 1), (3, 1), (4, 1), (0, 4))),
    "isolated nodes": Graph(6, ((0, 1), (2, 1), (1, 2))),
    "single edge": Graph(2, ((0, 1),)),
    "self-loops": Graph(3, ((0, 0), (0, 1), (1, 2), (2, 2), (2, 1))),
    "repeated edges": Graph(3, ((0, 1), (0, 1), (1, 0), (2, 0), (2, 0))),
    "single node": Graph(1, ()),
    "graphs without edges": Graph(6, ((1, 2), (2, 1), (2, 3)), (0, 1, 1, 1, 2, 3)),
    "one edge in a batch": Graph(4, ((1, 2),), (0, 1, 1, 2)),
}


def act(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, 0.2 * x)


def film(x: Tensor, w: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    z = act(x @ w["film1.weight"] + w["film1.bias"])
    z = act(z @ w["film2.weight"] + w["film2.bias"])
    gamma = 1 / (1 + torch.exp(-(z @ w["gamma.weight"] + w["gamma.bias"])))
    return gamma, z @ w["beta.weight"] + w["beta.bias"]


def gather(operation: str, messages: list[Tensor], width: int) -> Tensor:
    if not messages:
        return torch.zeros(width, dtype=torch.float64)
    mean = sum(messages) / len(messages)
    if operation == "V_SUM":
        return sum(messages)
    if operation == "V_MEAN":
        return mean
    if operation == "V_MAX":
        return torch.stack(messages).amax(0)
    if operation == "V_STD":
        return torch.sqrt(sum((m - mean) ** 2 for m in messages) / len(messages) + EPS)
    power = {"V_GEM2": 2, "V_GEM3": 3}[operation]
    moment = sum(m**power for m in messages) / len(messages)
    return (moment.clamp(min=0) + EPS) ** (1 / power)


def meet(operation: str, V_s: Tensor, V_t: Tensor, undirected: bool) -> Tensor:
    difference = V_s - V_t
    return {
        "E_SUB": difference.abs() if undirected else difference,
        "E_GAUSS": torch.exp(-(difference**2) / 2),
        "E_HAD": V_s * V_t,
        "E_MAX": torch.stack([V_s, V_t]).amax(0),
        "E_SUM": V_s + V_t,
        "E_MEAN": (V_s + V_t) / 2,
    }[operation]


def normalise(y: list[Tensor], module: torch.nn.Module) -> list[Tensor]:
    """BatchNorm of rows, and the running statistics it leaves, as attributes of the module."""
    mean, var = module.running_mean, module.running_var
    if module.training and len(y) >= 2:
        count = len(y)
        mean = sum(y) / count
        var = sum((row - mean) ** 2 for row in y) / count
        module.expected_mean = (0.9 * module.running_mean + 0.1 * mean).detach()
        unbiased = var * count / (count - 1)
        module.expected_var = (0.9 * module.running_var + 0.1 * unbiased).detach()
    else:
        module.expected_mean, module.expected_var = mean.clone(), var.clone()
    return [module.scale * (row - mean) / torch.sqrt(var + EPS) + module.shift for row in y]


def node_loop(
    module: NodeOperation,
    operation: str,
    V: Tensor,
    E: Sequence[Tensor] | None,
    edges: Sequence[tuple[int, int]],
) -> Tensor:
    w = weights_of(module.weights, module.layout)
    out = []
    for node in range(V.shape[0]):
        messages = []
        for number, (source, target) in enumerate(edges):
            if target == node:
                h = act(act(V[source]) @ w["mlp1.weight"] + w["mlp1.bias"])
                message = h @ w["mlp2.weight"] + w["mlp2.bias"]
                if E is not None:
                    gamma, beta = film(E[number], w)
                    message = gamma * message + beta
                messages.append(message)
        value = gather(operation, messages, V.shape[1])
        out.append(value @ w["out.weight"] + w["out.bias"])
    return torch.stack(normalise(out, module))


def relation_loop(
    module: RelationOperation,
    operation: str,
    V: Tensor,
    E: Sequence[Tensor],
    edges: Sequence[tuple[int, int]],
    undirected: bool = False,
) -> Tensor:
    w = weights_of(module.weights, module.layout)
    out = []
    for number, (source, target) in enumerate(edges):
        gamma, beta = film(meet(operation, V[source], V[target], undirected), w)
        value = gamma * act(E[number]) + beta
        out.append(value @ w["out.weight"] + w["out.bias"])
    rows = normalise(out, module)
    return torch.stack(rows) if rows else torch.zeros_like(E)


def streams(graph: Graph) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(len(graph.edges))
    V = torch.randn(graph.nodes, NODE_DIM, generator=generator, dtype=torch.float64)
    E = torch.randn(len(graph.edges), EDGE_DIM, generator=generator, dtype=torch.float64)
    return V.requires_grad_(), E.requires_grad_()


def topology(graph: Graph, undirected: bool = False):
    edge_index = torch.tensor(graph.edges, dtype=torch.int64).reshape(-1, 2).t()
    batch = None if graph.batch is None else torch.tensor(graph.batch)
    return topology_from_edge_index(edge_index, graph.nodes, batch, undirected)


def unlike_new(module: torch.nn.Module) -> torch.nn.Module:
    """In float64, with statistics and affine part as after some training."""
    module.double()
    generator = torch.Generator().manual_seed(7)
    for values in (module.running_mean, module.running_var, module.scale, module.shift):
        torch.nn.init.uniform_(values, 0.5, 1.5, generator)
    return module


def check(module: torch.nn.Module, got: Tensor, expected: Tensor, leaves: Sequence[Tensor]) -> None:
    torch.testing.assert_close(got, expected, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(module.running_mean, module.expected_mean)
    torch.testing.assert_close(module.running_var, module.expected_var)
    pull = torch.cos(torch.arange(got.numel(), dtype=got.dtype)).view_as(got)
    wanted = [leaf for leaf in leaves if leaf.requires_grad]
    for name, values in (("got", got), ("expected", expected)):
        assert torch.isfinite(values).all(), name
    if not expected.requires_grad:
        return
    exact = torch.autograd.grad(expected, wanted, pull, allow_unused=True)
    ours = torch.autograd.grad(got, wanted, pull, allow_unused=True)
    for leaf, a, b in zip(wanted, ours, exact, strict=True):
        torch.testing.assert_close(
            torch.zeros_like(leaf) if a is None else a,
            torch.zeros_like(leaf) if b is None else b,
            rtol=1e-8,
            atol=1e-10,
        )


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("relations", [True, False])
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("operation", node_operations())
def test_node_operation_is_what_loops_compute(operation, name, relations, training):
    graph = GRAPHS[name]
    V, E = streams(graph)
    module = NodeOperation(operation, NODE_DIM, EDGE_DIM, relations=relations)
    unlike_new(module).train(training)
    guide = E if relations else None
    expected = node_loop(module, operation, V, guide, graph.edges)
    got = module(V, guide, topology(graph))
    check(module, got, expected, [V, E, *module.parameters()])


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("operation", relation_operations())
def test_relation_operation_is_what_loops_compute(operation, name, training):
    graph = GRAPHS[name]
    V, E = streams(graph)
    module = unlike_new(RelationOperation(operation, NODE_DIM, EDGE_DIM)).train(training)
    expected = relation_loop(module, operation, V, E, graph.edges)
    check(module, module(V, E, topology(graph)), expected, [V, E, *module.parameters()])


HELD_ONCE = {
    "plain": Graph(4, ((0, 1), (1, 2), (2, 3))),
    "self-loops": Graph(4, ((0, 1), (1, 1), (2, 3), (3, 3))),
    "parallel edges": Graph(3, ((0, 1), (0, 1), (1, 2), (2, 2), (2, 2))),
    "single edge": Graph(3, ((2, 1),)),
    "one self-loop": Graph(2, ((1, 1),)),
}


def both_ways(graph: Graph) -> tuple[list[tuple[int, int]], list[int]]:
    """The directed edges that held pairs stand for, and the pair of each."""
    edges, pair = list(graph.edges), list(range(len(graph.edges)))
    for number, (source, target) in enumerate(graph.edges):
        if source != target:
            edges.append((target, source))
            pair.append(number)
    return edges, pair


@pytest.mark.parametrize("name", HELD_ONCE)
@pytest.mark.parametrize("operation", node_operations())
def test_nodes_see_a_pair_held_once_as_two_edges(operation, name):
    graph = HELD_ONCE[name]
    V, E = streams(graph)
    edges, pair = both_ways(graph)
    module = unlike_new(NodeOperation(operation, NODE_DIM, EDGE_DIM))
    expected = node_loop(module, operation, V, E[pair], edges)
    got = module(V, E, topology(graph, undirected=True))
    check(module, got, expected, [V, E, *module.parameters()])


@pytest.mark.parametrize("name", HELD_ONCE)
@pytest.mark.parametrize("operation", relation_operations())
def test_a_pair_held_once_is_both_of_its_edges(operation, name):
    graph = HELD_ONCE[name]
    V, E = streams(graph)
    edges, pair = both_ways(graph)
    module = unlike_new(RelationOperation(operation, NODE_DIM, EDGE_DIM))
    expected = relation_loop(module, operation, V, E[pair], edges, undirected=True)
    got = module(V, E, topology(graph, undirected=True))
    check(module, got[pair], expected, [V, E, *module.parameters()])
