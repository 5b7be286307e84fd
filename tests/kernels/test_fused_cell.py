"""A cell of the fused core against the same cell, one vertex at a time, in the reference."""

import pytest
import torch
from fused_cases import NODE, RELATION, random_graphs, topology_of
from torch import Tensor

from argnp.kernels.core import Norm, Pair, Step, Term, step_by_step
from argnp.kernels.fused import FusedCore, unavailable
from argnp.kernels.layout import node_layout, relation_layout
from argnp.kernels.topology import Topology
from argnp.ops.reference import ReferenceCore

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

D_V, D_E = 9, 5


def batch(seed: int) -> Topology:
    rng = torch.Generator().manual_seed(seed)
    return topology_of(random_graphs(rng, 9, 7, 1.7), undirected=True)


def steps(*, relations: bool, frozen: bool, seed: int = 0) -> list[Step]:
    """Three vertices; the last reads the one before, a source twice over, and a skip."""
    rng = torch.Generator().manual_seed(seed)
    found: list[Step] = []
    for vertex, sources in ((1, (-1, 0)), (2, (0, 1)), (3, (2, 0))):
        for space in ("node", "relation") if relations else ("node",):
            layout, d, names = node_layout(D_V, D_E, relations=relations), D_V, NODE
            if space == "relation":
                layout, d, names = relation_layout(D_V, D_E), D_E, RELATION
            terms = [Term(names[vertex], 0, 0), Term(names[vertex + 1], 1, 1)]
            terms += [Term("skip", 1, -1)] if vertex == 3 else []
            bank = 0.3 * torch.randn(2, layout.size, generator=rng)
            coef = torch.randn(len(terms), d, generator=rng)
            shift = torch.randn(d, generator=rng) if vertex != 2 else None
            still = frozen and vertex == 1
            for weights in (bank, coef, shift):
                if weights is not None:
                    weights.requires_grad_(not still)
            norm = Norm(torch.zeros(2, d), torch.ones(2, d), training=True)
            found.append(Step(space, vertex, sources, tuple(terms), bank, coef, shift, norm))  # type: ignore[arg-type]
    return found


def gradients(
    core: FusedCore | ReferenceCore,
    *,
    relations: bool,
    frozen: bool = False,
    same_inputs: bool = False,
    read: tuple[int, ...] = (1, 3),
) -> dict[str, Tensor]:
    """Streams, and the gradients of everything that wants one, of a loss that reads some."""
    topology, rng = batch(3), torch.Generator().manual_seed(5)
    made = steps(relations=relations, frozen=frozen)

    def pair() -> Pair:
        V = torch.randn(topology.num_nodes, D_V, generator=rng).requires_grad_(not frozen)
        E = torch.randn(topology.num_relations, D_E, generator=rng).requires_grad_(not frozen)
        return Pair(V, E if relations else None)

    first = pair()
    inputs = {-1: first, 0: first if same_inputs else pair()}
    if core.name == "fused":
        found = core.cell(made, inputs, topology)
    else:
        found = step_by_step(core, made, inputs, topology)
    loss = sum(
        (stream * torch.linspace(-1, 1, stream.numel()).view_as(stream)).sum()
        for vertex in read
        for stream in found[vertex]
        if stream is not None
    )
    loss.backward()
    result = {
        f"{letter}{vertex}": stream.detach()
        for vertex, streams in found.items()
        for letter, stream in zip("VE", streams, strict=True)
        if stream is not None
    }
    leaves = {f"in{k}{n}": t for k, p in inputs.items() for n, t in zip("VE", p, strict=True)}
    for i, step in enumerate(made):
        leaves |= {f"bank{i}": step.bank, f"coef{i}": step.coef, f"shift{i}": step.shift}
        result |= {f"mean{i}": step.norm.mean, f"var{i}": step.norm.var}
    for name, leaf in leaves.items():
        if leaf is not None and leaf.grad is not None and leaf.grad.abs().sum() > 0:
            result[f"d{name}"] = leaf.grad
    return result


def assert_same(fused: dict[str, Tensor], expected: dict[str, Tensor]) -> None:
    assert fused.keys() == expected.keys()
    for name, value in expected.items():
        scale = max(float(value.abs().max()), 1e-2)
        error = (fused[name] - value).abs().flatten()
        assert float(error.quantile(0.9)) <= 1e-3 * scale, name
        assert float(error.norm()) <= 2e-2 * max(float(value.norm()), 1e-2), name


@pytest.mark.parametrize("same_inputs", [True, False])
@pytest.mark.parametrize("relations", [True, False])
def test_streams_gradients_and_statistics(relations: bool, same_inputs: bool) -> None:
    results = [
        gradients(core, relations=relations, same_inputs=same_inputs)
        for core in (FusedCore(), ReferenceCore())
    ]
    assert_same(*results)


def test_frozen_weights_get_no_gradient_and_stop_none() -> None:
    results = [
        gradients(core, relations=True, frozen=True) for core in (FusedCore(), ReferenceCore())
    ]
    assert "dbank0" not in results[0]
    assert "dbank2" in results[0]
    assert_same(*results)


def test_what_no_loss_reads_gets_no_gradient() -> None:
    results = [
        gradients(core, relations=True, read=(1,)) for core in (FusedCore(), ReferenceCore())
    ]
    assert "dbank4" not in results[0]
    assert_same(*results)


def test_the_loss_may_read_one_stream_twice() -> None:
    """The gradient that comes in is not written to."""
    topology, made = batch(3), steps(relations=False, frozen=False)
    V = torch.randn(topology.num_nodes, D_V, requires_grad=True)
    found = FusedCore().cell(made, {-1: Pair(V, None), 0: Pair(V, None)}, topology)
    outer = torch.ones(topology.num_nodes, D_V)
    streams = [found[1].V, found[3].V]
    torch.autograd.backward(streams, [outer, outer])  # type: ignore[arg-type]
    assert torch.equal(outer, torch.ones_like(outer))


def test_a_cell_twice_is_the_same() -> None:
    one, two = (gradients(FusedCore(), relations=True) for _ in range(2))
    assert all(torch.equal(one[name], two[name]) for name in one)
