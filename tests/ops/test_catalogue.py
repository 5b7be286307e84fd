"""The contract of every operation in the catalogue, and how a user's own gets in."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.errors import UserError
from argnp.kernels.core import Norm, Term
from argnp.ops import catalogue
from argnp.ops.catalogue import (
    node_operation,
    node_operations,
    register_node_operation,
    register_relation_operation,
    relation_operation,
    relation_operations,
)
from argnp.ops.modules import NodeOperation, RelationOperation
from argnp.ops.reference import ReferenceCore
from argnp.ops.topology import topology_from_edge_index

each_node_operation = pytest.mark.parametrize("operation", node_operations())
each_relation_operation = pytest.mark.parametrize("operation", relation_operations())

graphs = st.integers(1, 7).flatmap(
    lambda nodes: st.tuples(
        st.just(nodes),
        st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=12),
        st.permutations(range(nodes)),
        st.integers(0, 10_000),
    )
)


def edge_index_of(edges):
    return torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).t()


def drawn(nodes, edges, seed):
    generator = torch.Generator().manual_seed(seed)
    V = torch.randn(nodes, 4, generator=generator, dtype=torch.float64)
    E = torch.randn(len(edges), 3, generator=generator, dtype=torch.float64)
    return V, E


def assert_finite_with_gradients(value, leaves):
    assert torch.isfinite(value).all()
    pull = torch.cos(torch.arange(value.numel(), dtype=value.dtype)).view_as(value)
    for gradient in torch.autograd.grad(value, leaves, pull, allow_unused=True):
        assert gradient is None or torch.isfinite(gradient).all()


@each_node_operation
@settings(max_examples=15, deadline=None, derandomize=True)
@given(graph=graphs)
def test_renaming_nodes_renames_the_outputs(operation, graph):
    nodes, edges, renamed, seed = graph
    V, E = drawn(nodes, edges, seed)
    new = torch.tensor(renamed)
    edge_index = edge_index_of(edges)
    module = NodeOperation(operation, 4, 3).double().eval()
    value = module(V, E, topology_from_edge_index(edge_index, nodes))
    shuffled = torch.empty_like(V)
    shuffled[new] = V
    again = module(shuffled, E, topology_from_edge_index(new[edge_index], nodes))
    torch.testing.assert_close(again[new], value, rtol=1e-9, atol=1e-9)


@each_relation_operation
@settings(max_examples=15, deadline=None, derandomize=True)
@given(graph=graphs, undirected=st.booleans())
def test_renaming_nodes_leaves_relations_alone(operation, graph, undirected):
    nodes, edges, renamed, seed = graph
    V, E = drawn(nodes, edges, seed)
    new = torch.tensor(renamed)
    edge_index = edge_index_of(edges)
    module = RelationOperation(operation, 4, 3).double().eval()
    value = module(V, E, topology_from_edge_index(edge_index, nodes, undirected=undirected))
    shuffled = torch.empty_like(V)
    shuffled[new] = V
    turned = new[edge_index].flip(0) if undirected else new[edge_index]
    topology = topology_from_edge_index(turned, nodes, undirected=undirected)
    torch.testing.assert_close(module(shuffled, E, topology), value, rtol=1e-9, atol=1e-9)


@each_node_operation
def test_a_node_without_messages_gets_zero(operation):
    messages = torch.randn(3, 2, generator=torch.Generator().manual_seed(0)).requires_grad_()
    target, degree = torch.tensor([1, 1, 3], dtype=torch.int32), torch.tensor([0.0, 2, 0, 1])
    value = node_operation(operation)(messages, target, 4, degree)
    assert value[[0, 2]].eq(0).all()
    assert value[[1, 3]].ne(0).any()
    assert_finite_with_gradients(value, [messages])


@each_node_operation
@pytest.mark.parametrize("case", ["equal", "zero", "1e3", "1e4", "-1e4"])
def test_extreme_messages_stay_finite(operation, case):
    noise = torch.randn(6, 2, generator=torch.Generator().manual_seed(0))
    fill = {"equal": 0.7, "zero": 0.0}.get(case)
    messages = noise * float(case) if fill is None else torch.full_like(noise, fill)
    messages.requires_grad_()
    target = torch.tensor([0, 0, 0, 1, 1, 3], dtype=torch.int32)
    degree = torch.tensor([3.0, 2, 0, 1])
    value = node_operation(operation)(messages, target, 4, degree)
    assert_finite_with_gradients(value, [messages])


@each_relation_operation
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1e3, 1e4])
def test_extreme_ends_stay_finite(operation, scale, undirected):
    generator = torch.Generator().manual_seed(0)
    V_s = (torch.randn(5, 2, generator=generator) * scale).requires_grad_()
    V_t = (torch.randn(5, 2, generator=generator) * scale).requires_grad_()
    value = relation_operation(operation)(V_s, V_t, undirected)
    assert_finite_with_gradients(value, [V_s, V_t])


@each_node_operation
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_an_operation_keeps_the_dtype(operation, dtype):
    V, E = drawn(3, [(0, 1), (2, 1), (1, 0)], 0)
    topology = topology_from_edge_index(torch.tensor([[0, 2, 1], [1, 1, 0]]), 3)
    value = NodeOperation(operation, 4, 3).to(dtype)(V.to(dtype), E.to(dtype), topology)
    assert value.dtype == dtype


def test_a_deviation_of_large_values_survives_single_precision():
    offsets = torch.tensor([[-0.5], [0.5], [0.25], [-0.25]])
    target, degree = torch.zeros(4, dtype=torch.int32), torch.tensor([4.0])
    value = node_operation("V_STD")(1000 + offsets, target, 1, degree)
    assert value.item() == pytest.approx((0.15625 + 1e-5) ** 0.5, rel=1e-5)


def test_a_maximum_of_zero_hands_on_its_whole_gradient():
    messages = torch.tensor([[0.0], [-1.0], [0.0]], requires_grad=True)
    target, degree = torch.tensor([0, 0, 1], dtype=torch.int32), torch.tensor([2.0, 1.0, 0.0])
    value = node_operation("V_MAX")(messages, target, 3, degree)
    assert value.flatten().tolist() == [0, 0, 0]
    value.sum().backward()
    assert messages.grad.flatten().tolist() == [1, 0, 1]


@pytest.fixture
def restored(monkeypatch):
    """The catalogue is as it was when the test is over."""
    monkeypatch.setattr(catalogue, "_NODE", dict(catalogue._NODE))
    monkeypatch.setattr(catalogue, "_RELATION", dict(catalogue._RELATION))


@pytest.mark.usefixtures("restored")
def test_a_registered_operation_runs_as_module_and_in_the_reference():
    def smallest(messages, target, num_nodes, degree):
        return -node_operation("V_MAX")(-messages, target, num_nodes, degree)

    register_node_operation("V_MIN", smallest)
    register_relation_operation("E_FAR", lambda V_s, V_t, undirected: (V_s - V_t).square())
    V, E = drawn(3, [(0, 1), (2, 1)], 0)
    topology = topology_from_edge_index(torch.tensor([[0, 2], [1, 1]]), 3)
    nodes, relations = NodeOperation("V_MIN", 4, 3), RelationOperation("E_FAR", 4, 3)
    for module, operation, compute in (
        (nodes.double(), "V_MIN", ReferenceCore().nodes),
        (relations.double(), "E_FAR", ReferenceCore().relations),
    ):
        width = module.running_mean.shape[0]
        norm = Norm(torch.zeros(1, width).double(), torch.ones(1, width).double(), True)
        coef = torch.ones(1, width, dtype=torch.float64)
        value = compute(
            [Term(operation, 0, 0)], module.weights[None], coef, [V], [E], topology, norm
        )
        torch.testing.assert_close(module(V, E, topology), value)


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("register", [register_node_operation, register_relation_operation])
@pytest.mark.parametrize(
    ("name", "function", "message"),
    [
        ("V_MAX", torch.add, "'V_MAX' is taken"),
        ("E_SUB", torch.add, "'E_SUB' is taken"),
        ("skip", torch.add, "'skip' is taken"),
        ("zero", torch.add, "'zero' is taken"),
        ("", torch.add, "'' is no name"),
        ("my op", torch.add, "'my op' is no name"),
        ("V_NEW", "mean", "'V_NEW' needs a function, not str"),
    ],
)
def test_what_cannot_be_registered(register, name, function, message):
    with pytest.raises(UserError, match=message):
        register(name, function)


def test_a_misspelt_name_lists_the_legal_ones():
    with pytest.raises(UserError, match=r"node operation 'V_MAXX' is unknown.*V_MAX, V_STD"):
        node_operation("V_MAXX")
    with pytest.raises(UserError, match=r"relation operation 'V_MAX' is unknown.*E_SUB, E_GAUSS"):
        relation_operation("V_MAX")
