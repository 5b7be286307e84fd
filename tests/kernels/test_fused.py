"""The fused core against the oracle: values, every gradient, running statistics.

Tolerance, unless said otherwise: 2e-4 of the largest value of a result, in float32 against
float64.
"""

from dataclasses import replace

import pytest
import torch
from fused_cases import NODE, RELATION, assert_agrees, make_case, random_graphs, topology_of

from argnp.kernels import fused_vertex
from argnp.kernels.core import Term
from argnp.kernels.fused import FusedCore, supports, unavailable
from argnp.kernels.topology import Topology

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

WIDTHS = (1, 2, 3, 7, 8, 16, 25, 33, 50, 64, 100, 256)


def batch(seed: int, *, undirected: bool, count: int = 9, nodes: int = 7) -> Topology:
    rng = torch.Generator().manual_seed(seed)
    return topology_of(random_graphs(rng, count, nodes, 1.7), undirected=undirected)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("operation", [*NODE, "skip"])
def test_node_operation(operation: str, undirected: bool, training: bool) -> None:
    topology = batch(1, undirected=undirected)
    assert_agrees(make_case("nodes", [operation], topology, (7, 3), sources=1, training=training))


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("operation", [*RELATION, "skip"])
def test_relation_operation(operation: str, undirected: bool, training: bool) -> None:
    topology = batch(2, undirected=undirected)
    case = make_case("relations", [operation], topology, (7, 3), sources=1, training=training)
    assert_agrees(case)


@pytest.mark.parametrize("operation", NODE)
def test_without_relations(operation: str) -> None:
    topology = batch(3, undirected=True)
    assert_agrees(make_case("nodes", [operation, "skip"], topology, (50, 1), relations=False))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("space", ["nodes", "relations"])
def test_widths(space: str, width: int) -> None:
    other = WIDTHS[(WIDTHS.index(width) * 5 + 3) % len(WIDTHS)]
    operations = [*(NODE if space == "nodes" else RELATION), "skip"]
    for widths in ((width, other), (other, width)):
        assert_agrees(make_case(space, operations, batch(4, undirected=True), widths, seed=width))


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("space", ["nodes", "relations"])
def test_many_tiles_and_threads(space: str, threads: int) -> None:
    topology = batch(5, undirected=True, count=60, nodes=20)
    operations = [*(NODE if space == "nodes" else RELATION), "skip"] * 2
    torch.set_num_threads(threads)
    try:
        assert_agrees(make_case(space, operations, topology, (12, 9), sources=3))
    finally:
        torch.set_num_threads(1)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("space", ["nodes", "relations"])
def test_one_large_graph_is_divided_by_terms(space: str, threads: int) -> None:
    rng = torch.Generator().manual_seed(6)
    ends = torch.randint(0, 300, (900, 2), generator=rng).tolist()
    graph = (300, [(s, t) for s, t in ends])
    operations = [*(NODE if space == "nodes" else RELATION), "skip"]
    torch.set_num_threads(threads)
    try:
        topology = topology_of([graph, (2, [(0, 1)])], undirected=space == "nodes")
        assert_agrees(make_case(space, operations, topology, (10, 6)), 1e-3)
    finally:
        torch.set_num_threads(1)


DEGENERATE = {
    "one node": [(1, [])],
    "no edges": [(3, []), (2, [])],
    "one edge": [(2, [(0, 1)])],
    "one self-loop": [(1, [(0, 0)])],
    "parallel": [(2, [(0, 1), (0, 1), (0, 1)])],
    "nothing": [],
}


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_graphs(name: str, undirected: bool, training: bool) -> None:
    topology = topology_of(DEGENERATE[name], undirected=undirected)
    # Few rows leave variances near 0, where 1/sqrt(var + eps) enlarges roundings.
    for space, operations in (("nodes", NODE), ("relations", RELATION)):
        case = make_case(space, [*operations, "skip"], topology, (5, 4), training=training)
        assert_agrees(case, 2e-2)


def test_ties_share_the_gradient() -> None:
    topology = topology_of([(3, [(0, 2), (1, 2), (0, 1)]), (2, [(1, 0)])], undirected=False)
    for space, operations in (("nodes", ["V_MAX"]), ("relations", ["E_MAX", "E_SUB"])):
        case = make_case(space, operations, topology, (6, 4), sources=1, training=False)
        case.V[0][1] = case.V[0][0]
        assert case.E is not None
        case.E[0][:] = case.E[0][0]
        assert_agrees(case)


def test_deviation_of_large_values() -> None:
    """Messages near 1000 that differ by about 0.1: one pass in float32 would lose them."""
    topology = batch(7, undirected=False, count=20)
    case = make_case("nodes", ["V_STD"], topology, (8, 4), sources=1, training=False)
    case.bank *= 0.1
    bias = 2 * (8 * 8 + 8) - 8  # of mlp2
    case.bank[:, bias : bias + 8] = 2000.0
    # Messages of 1000 carry roundings of 6e-5, which is what the tolerance is made of.
    assert_agrees(case, 5e-3)


@pytest.mark.parametrize("frozen", [{"bank"}, {"coef"}, {"V0", "E1"}, {"bank", "V0", "V1"}])
@pytest.mark.parametrize("space", ["nodes", "relations"])
def test_gradients_only_where_required(space: str, frozen: set[str]) -> None:
    operations = NODE if space == "nodes" else RELATION
    topology = batch(8, undirected=True)
    case = make_case(space, [*operations, "skip"], topology, (9, 5), frozen=frozenset(frozen))
    assert_agrees(case)


@pytest.mark.parametrize("space", ["nodes", "relations"])
def test_same_twice_and_without_gradients(space: str) -> None:
    topology = batch(9, undirected=True, count=40, nodes=25)
    operations = [*(NODE if space == "nodes" else RELATION), "skip"]
    case = make_case(space, operations, topology, (25, 13))
    torch.set_num_threads(2)
    try:
        first = case.run(FusedCore(), torch.float32)
        second = case.run(FusedCore(), torch.float32)
        with torch.inference_mode():
            case.frozen = frozenset({"bank", "coef", "V0", "V1", "E0", "E1"})
            third = case.run(FusedCore(), torch.float32)
    finally:
        torch.set_num_threads(1)
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert all(torch.equal(first[name], third[name]) for name in ("out", "mean", "var"))


def test_strided_inputs_are_taken() -> None:
    topology = batch(10, undirected=True)
    case = make_case("nodes", ["V_MEAN"], topology, (6, 4), sources=1)
    case.coef = case.coef[:, :1].expand(-1, 6)
    assert_agrees(case)


def test_what_it_does_not_take() -> None:
    case = make_case("nodes", ["V_MEAN"], batch(11, undirected=True), (6, 4), sources=1)
    with pytest.raises(AssertionError, match="float32"):
        case.run(FusedCore(), torch.float64)
    case.terms = [Term("V_MEDIAN", 0, 0)]
    with pytest.raises(AssertionError, match="operations it knows"):
        case.run(FusedCore(), torch.float32)


@pytest.mark.parametrize(
    ("change", "flaw"),
    [
        (
            {"target": [1, 3, 4]},
            "relation 1 joins nodes 1 and 3; its graph has nodes 0 to 2",
        ),
        ({"source": [0, -1, 3]}, "relation 1 joins nodes -1 and 2"),
        ({"source": [0, 1, 7]}, "relation 2 joins nodes 7 and 4"),
        ({"node_ptr": [0, 3, 9]}, "node_ptr does not divide 5 rows"),
        ({"relation_ptr": [0, 4, 3]}, "relation_ptr does not divide 3 rows"),
    ],
)
def test_relations_that_leave_their_graph(change: dict[str, list[int]], flaw: str) -> None:
    """Compiled code would write beyond the rows of the graph."""
    graphs = [(3, [(0, 1), (1, 2)]), (2, [(0, 1)])]
    ints = {name: torch.tensor(x, dtype=torch.int32) for name, x in change.items()}
    topology = replace(topology_of(graphs, undirected=True), **ints)  # type: ignore[arg-type]
    case = make_case("nodes", ["V_SUM"], topology, (6, 4), sources=1)
    with pytest.raises(AssertionError, match=flaw):
        case.run(FusedCore(), torch.float32)


def test_whatever_the_default_type_of_the_process() -> None:
    case = make_case("nodes", [*NODE, "skip"], batch(13, undirected=True), (9, 5))
    weight, streams = torch.randn(3, 18), [torch.randn(4, 9) for _ in range(2)]
    expected, gathered = case.run(FusedCore(), torch.float32), FusedCore().gather(streams, weight)
    torch.set_default_dtype(torch.float64)
    try:
        with torch.device("meta"):
            found = case.run(FusedCore(), torch.float32)
            again = FusedCore().gather(streams, weight)
    finally:
        torch.set_default_dtype(torch.float32)
    assert all(torch.equal(found[name], value) for name, value in expected.items())
    assert torch.equal(again, gathered)


def test_supports() -> None:
    assert all(map(supports, (*NODE, *RELATION, "skip")))
    assert not supports("V_MEDIAN")


@pytest.mark.parametrize("relations", [True, False])
def test_what_is_computed_again_is_the_same(
    relations: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    topology = batch(12, undirected=True, count=30, nodes=20)
    case = make_case("nodes", [*NODE, "skip"], topology, (10, 6), relations=relations)
    kept = case.run(FusedCore(), torch.float32)
    monkeypatch.setattr(fused_vertex, "ROOM", 0)
    again = case.run(FusedCore(), torch.float32)
    assert all(torch.equal(kept[name], again[name]) for name in kept)
