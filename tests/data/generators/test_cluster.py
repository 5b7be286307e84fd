import time

import numpy as np
import pytest

from argnp.data.generators.cluster import ClusterRecipe, cluster
from argnp.errors import UserError

COUNTS = (300, 50, 50)


@pytest.fixture(scope="module")
def made():
    return cluster(ClusterRecipe(), COUNTS, seed=0)


def graphs(raw):
    for g in range(raw.num_graphs):
        nodes = slice(raw.node_ptr[g], raw.node_ptr[g + 1])
        edges = slice(raw.edge_ptr[g], raw.edge_ptr[g + 1])
        yield raw.x[nodes, 0], raw.y[nodes], raw.edge_index[:, edges]


def test_communities_have_5_to_34_nodes_uniformly(made):
    sizes = np.array([np.bincount(y, minlength=6) for _, y, _ in graphs(made.graphs)])
    assert sizes.shape == (400, 6)
    assert sizes.min() == 5
    assert sizes.max() == 34
    # 2,400 draws of 30 values, each expected 80 times.
    counts = np.bincount(sizes.ravel(), minlength=35)[5:]
    assert ((counts - 80) ** 2 / 80).sum() < 70


def test_edges_have_probability_p_inside_and_q_across(made):
    inside, across = np.zeros(2), np.zeros(2)
    for _, y, edges in graphs(made.graphs):
        same = y[edges[0]] == y[edges[1]]
        sizes = np.bincount(y)
        possible = (sizes * (sizes - 1)).sum()
        inside += same.sum(), possible
        across += (~same).sum(), len(y) * (len(y) - 1) - possible
    assert inside[0] / inside[1] == pytest.approx(0.55, abs=0.005)
    assert across[0] / across[1] == pytest.approx(0.25, abs=0.003)


def test_edges_go_both_ways_once_and_never_to_themselves(made):
    for _, _, edges in graphs(made.graphs):
        pairs = set(map(tuple, edges.T.tolist()))
        assert len(pairs) == edges.shape[1]
        assert all((b, a) in pairs and a != b for a, b in pairs)
        break


def test_one_node_of_each_community_carries_its_label_plus_one(made):
    for x, y, _ in graphs(made.graphs):
        known = np.flatnonzero(x)
        assert sorted(x[known]) == [1, 2, 3, 4, 5, 6]
        assert (y[known] == x[known] - 1).all()
    assert made.graphs.node_sizes == (7,)


def test_numbers_of_nodes_say_nothing_about_communities(made):
    places = [np.flatnonzero(y == 0).mean() / len(y) for _, y, _ in graphs(made.graphs)]
    assert np.mean(places) == pytest.approx(0.5, abs=0.03)


def test_size_of_the_published_set(made):
    assert made.graphs.num_nodes / 400 == pytest.approx(117, abs=4)
    assert made.graphs.num_edges / 400 == pytest.approx(4300, rel=0.06)


def test_the_seed_decides_everything(made):
    again, other = (cluster(ClusterRecipe(), (20, 5, 5), seed=s).graphs for s in (0, 1))
    first = made.graphs
    assert np.array_equal(
        again.edge_index[:, : again.edge_ptr[20]], first.edge_index[:, : first.edge_ptr[20]]
    )
    assert not np.array_equal(again.node_ptr, other.node_ptr)


def test_the_recipe_can_be_changed():
    recipe = ClusterRecipe(communities=3, smallest=4, largest=4, p=1.0, q=0.0)
    made = cluster(recipe, (2, 1, 1), seed=0).graphs
    assert made.num_nodes == 4 * 12
    assert made.num_edges == 4 * 3 * 4 * 3
    with pytest.raises(UserError, match="smallest=9 exceeds largest=8"):
        cluster(ClusterRecipe(smallest=9, largest=8), (2, 1, 1), seed=0)


def test_ten_thousand_graphs_take_about_a_minute_or_less():
    start = time.perf_counter()
    cluster(ClusterRecipe(), (200, 1, 1), seed=0)
    assert time.perf_counter() - start < 3, "50 times as many would take minutes"
