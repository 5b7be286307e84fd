import numpy as np
import pytest

from argnp.data.generators.make import generate
from argnp.data.generators.tours import tour
from argnp.data.generators.tsp import TspRecipe, nearest, tsp
from argnp.errors import UserError

pytest.importorskip("fast_tsp")
RECIPE = TspRecipe(smallest=30, largest=40)
FEW = TspRecipe(smallest=8, largest=12, neighbours=4)


@pytest.fixture(scope="module")
def made():
    return tsp(RECIPE, (4, 1, 1), seed=0)


def test_points_are_uniform_and_as_many_as_asked_for(made):
    sizes = np.diff(made.graphs.node_ptr)
    assert sizes.min() >= 30
    assert sizes.max() <= 40
    assert made.graphs.x.min() >= 0
    assert made.graphs.x.max() <= 1
    assert made.graphs.x.mean() == pytest.approx(0.5, abs=0.05)


def test_every_point_leads_to_its_25_nearest_and_knows_how_far(made):
    raw = made.graphs
    n = raw.node_ptr[1]
    x = raw.x[:n].astype(np.float64)
    edges = raw.edge_index[:, : raw.edge_ptr[1]]
    assert edges.shape[1] == 25 * n
    apart = np.linalg.norm(x[:, None] - x, axis=2)
    np.fill_diagonal(apart, np.inf)
    for point in range(n):
        here = edges[1, edges[0] == point]
        assert set(here) == set(np.argsort(apart[point])[:25])
    assert np.allclose(raw.edge_attr[: raw.edge_ptr[1], 0], apart[edges[0], edges[1]], atol=1e-6)


def test_targets_mark_the_tour_in_both_directions(made):
    raw = made.graphs
    for g in range(raw.num_graphs):
        nodes = slice(raw.node_ptr[g], raw.node_ptr[g + 1])
        edges = slice(raw.edge_ptr[g], raw.edge_ptr[g + 1])
        order = tour(raw.x[nodes].astype(np.float64))
        legs = set(zip(order.tolist(), np.roll(order, -1).tolist(), strict=True))
        legs |= {(b, a) for a, b in legs}
        marked = set(map(tuple, raw.edge_index[:, edges][:, raw.y[edges] == 1].T.tolist()))
        assert marked <= legs
        # A leg may lead beyond the 25 nearest, which among 40 points is rare.
        assert len(marked) >= len(legs) - 2


def test_as_a_dataset_it_is_directed_edge_classification():
    data = generate("tsp", 6, parameters={"smallest": "10", "largest": "12", "neighbours": "4"})
    assert data.schema.task.name == "edge-classification"
    assert data.schema.relations == "directed"
    assert data.metric == "f1"
    assert (data.schema.node.width, data.schema.edge.width) == (2, 1)


def test_few_points_have_fewer_neighbours():
    distance, number = nearest(np.random.default_rng(0).random((6, 2)), 25)
    assert distance.shape == number.shape == (6, 5)


def test_the_seed_decides_everything():
    one, again, other = (tsp(FEW, (4, 2, 2), seed=s).graphs for s in (0, 0, 1))
    assert np.array_equal(one.y, again.y)
    assert np.array_equal(one.x, again.x)
    assert not np.array_equal(again.x[:8], other.x[:8])


def test_impossible_sizes_are_refused():
    with pytest.raises(UserError, match="smallest=60 exceeds largest=50"):
        tsp(TspRecipe(smallest=60, largest=50), (1, 1, 1), seed=0)
