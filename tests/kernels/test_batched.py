"""The batched path computes what the reference computes: values, gradients, statistics."""

from itertools import count

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.arch.vocabulary import NODE_OPERATIONS, RELATION_OPERATIONS, ZERO
from argnp.kernels import batched_vertex
from argnp.kernels.batched import BatchedCore, supports
from argnp.kernels.core import Norm, Term
from argnp.kernels.layout import node_layout, relation_layout
from argnp.ops.reference import ReferenceCore
from argnp.ops.topology import topology_from_edge_index

SPACES = {
    "nodes": tuple(name for name in NODE_OPERATIONS if name != ZERO),
    "relations": tuple(name for name in RELATION_OPERATIONS if name != ZERO),
}

graph = st.integers(1, 6).flatmap(
    lambda nodes: st.tuples(
        st.just(nodes),
        st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), max_size=9),
    )
)
width = st.one_of(st.integers(1, 9), st.integers(10, 256))


def terms_of(names, space):
    """All of a vertex's operations, three links long, or the given (operation, source)."""
    rows = count()
    return [
        Term(name, source, -1 if name == "skip" else next(rows))
        for name, source in names or [(op, j) for j in range(3) for op in SPACES[space]]
    ]


def topology_of(graphs, undirected):
    owner, edges, first = [], [], 0
    for number, (nodes, pairs) in enumerate(graphs):
        edges += [(s + first, t + first) for s, t in pairs]
        owner += [number] * nodes
        first += nodes
    edge_index = torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).t()
    return topology_from_edge_index(
        edge_index, first, torch.tensor(owner, dtype=torch.int64), undirected
    )


class Problem:
    """Arguments of a core, the same for every core that solves it."""

    def __init__(
        self,
        space,
        terms,
        topology,
        node_dim=5,
        edge_dim=3,
        *,
        relations=True,
        training=True,
        frozen=(),
        dtype=torch.float64,
    ):
        self.space, self.terms, self.topology, self.training = space, terms, topology, training
        generator = torch.Generator().manual_seed(node_dim * 100 + edge_dim + len(terms))
        rows = 1 + max(term.row for term in terms)
        nodes = node_layout(node_dim, edge_dim, relations=relations)
        layout = nodes if space == "nodes" else relation_layout(node_dim, edge_dim)
        self.width = node_dim if space == "nodes" else edge_dim
        sources = 1 + max(term.source for term in terms)

        def draw(kind, *shape, scale=1.0):
            value = torch.randn(*shape, generator=generator, dtype=torch.float64) * scale
            return value.to(dtype).requires_grad_(kind not in frozen)

        self.bank = draw("bank", rows, layout.size, scale=0.4)
        self.coef = draw("coef", len(terms), self.width)
        self.V = [draw("V", topology.num_nodes, node_dim) for _ in range(sources)]
        self.E = [draw("E", topology.num_relations, edge_dim) for _ in range(sources)]
        self.relations = relations
        self.mean = draw("", rows, self.width).detach()
        self.var = draw("", rows, self.width).detach().abs() + 0.3

    def solve(self, core):
        """Output, running statistics, and all gradients, by name."""
        norm = Norm(self.mean.clone(), self.var.clone(), self.training)
        E = self.E if self.relations else None
        compute = getattr(core, self.space)
        value = compute(self.terms, self.bank, self.coef, self.V, E, self.topology, norm)
        solution = {"value": value.detach(), "mean": norm.mean, "var": norm.var}
        leaves = {"bank": self.bank, "coef": self.coef}
        leaves |= {f"V{i}": V for i, V in enumerate(self.V)}
        leaves |= {f"E{i}": E for i, E in enumerate(self.E)}
        leaves = {name: leaf for name, leaf in leaves.items() if leaf.requires_grad}
        pull = torch.cos(torch.arange(value.numel(), dtype=value.dtype)).view_as(value)
        gradients = torch.autograd.grad(value, list(leaves.values()), pull, allow_unused=True)
        for (name, leaf), gradient in zip(leaves.items(), gradients, strict=True):
            solution[f"d{name}"] = torch.zeros_like(leaf) if gradient is None else gradient
        return solution


def assert_same(problem, tolerance=1e-10):
    expected, got = problem.solve(ReferenceCore()), problem.solve(BatchedCore())
    assert expected.keys() == got.keys()
    for name, exact in expected.items():
        if exact.numel():
            error = (got[name] - exact).abs().max().item()
            assert error <= tolerance * max(1.0, exact.abs().max().item()), (name, error)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data(), graphs=st.lists(graph, max_size=4))
def test_any_vertex_on_any_batch(data, graphs):
    space = data.draw(st.sampled_from(sorted(SPACES)))
    some = st.tuples(st.sampled_from(SPACES[space]), st.integers(0, 2))
    names = data.draw(st.lists(some, max_size=6))
    if not any(name != "skip" for name, _ in names):
        names = []
    problem = Problem(
        space,
        terms_of(names, space),
        topology_of(graphs, data.draw(st.booleans())),
        data.draw(width),
        data.draw(width),
        relations=space == "relations" or data.draw(st.booleans()),
        training=data.draw(st.booleans()),
    )
    assert_same(problem)


GRAPHS = [(5, [(0, 1), (1, 2), (2, 2), (0, 1), (4, 2)]), (2, []), (4, [(0, 1), (2, 1), (3, 0)])]


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("space", SPACES)
def test_a_vertex_with_every_operation(space, undirected, training):
    topology = topology_of(GRAPHS, undirected)
    assert_same(Problem(space, terms_of([], space), topology, training=training))


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(
    "frozen", [("bank",), ("coef",), ("V",), ("E",), ("V", "E"), ("bank", "V")]
)
def test_gradients_only_where_asked_for(space, frozen):
    topology = topology_of(GRAPHS, True)
    assert_same(Problem(space, terms_of([], space), topology, frozen=frozen))


@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("space", SPACES)
def test_cut_between_graphs_it_computes_the_same(space, undirected, monkeypatch):
    monkeypatch.setattr(batched_vertex, "CACHED", 500)
    topology = topology_of(GRAPHS * 3, undirected)
    assert_same(Problem(space, terms_of([], space), topology))


@pytest.mark.parametrize("names", [[("skip", 1)], [("skip", 0), ("skip", 1)]])
def test_a_vertex_of_skips_alone(names):
    problem = Problem("nodes", terms_of(names, "nodes"), topology_of(GRAPHS, False))
    assert_same(problem)


@pytest.mark.parametrize("undirected", [True, False])
def test_equal_messages_tie_and_do_not_deviate(undirected):
    """Repeated edges: without relations, their messages are equal to the last bit."""
    repeated = [(2, [(0, 1)] * 3), (4, [(0, 1), (0, 1), (2, 2), (2, 2), (1, 3)])]
    topology = topology_of(repeated, undirected)
    assert_same(Problem("nodes", terms_of([], "nodes"), topology, relations=False))


@pytest.mark.parametrize("undirected", [True, False])
def test_equal_ends_share_gradients(undirected):
    topology = topology_of(GRAPHS, undirected)
    problem = Problem("relations", terms_of([], "relations"), topology)
    with torch.no_grad():
        for stream in problem.V:
            stream.copy_(stream[:1].expand_as(stream))
    assert_same(problem)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("scale", [0.0, 1e3, 1e4])
def test_extreme_streams_stay_finite_in_single_precision(space, scale):
    topology = topology_of(GRAPHS, True)
    problem = Problem(space, terms_of([], space), topology, dtype=torch.float32)
    with torch.no_grad():
        for stream in (*problem.V, *problem.E):
            stream.mul_(scale)
    for name, value in problem.solve(BatchedCore()).items():
        assert torch.isfinite(value).all(), name


@pytest.mark.parametrize("space", SPACES)
def test_single_precision_and_half_keep_their_dtype(space):
    topology = topology_of(GRAPHS, True)
    for dtype in (torch.float32, torch.bfloat16):
        problem = Problem(space, terms_of([], space), topology, dtype=dtype)
        assert {value.dtype for value in problem.solve(BatchedCore()).values()} == {dtype}


@pytest.mark.parametrize("space", SPACES)
def test_inference_keeps_nothing_and_gives_the_same(space):
    problem = Problem(space, terms_of([], space), topology_of(GRAPHS, True), training=False)
    expected = problem.solve(BatchedCore())["value"]
    norm = Norm(problem.mean, problem.var, False)
    with torch.inference_mode():
        value = getattr(BatchedCore(), space)(
            problem.terms, problem.bank, problem.coef, problem.V, problem.E, problem.topology, norm
        )
    assert torch.equal(value, expected)


@pytest.mark.parametrize("space", SPACES)
def test_the_same_call_gives_the_same_bits(space):
    problem = Problem(space, terms_of([], space), topology_of(GRAPHS, True), dtype=torch.float32)
    first, second = problem.solve(BatchedCore()), problem.solve(BatchedCore())
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_it_says_what_it_supports():
    assert all(supports(name) for names in SPACES.values() for name in names)
    assert not supports("V_MIN")
