import numpy as np
import pytest

from argnp.data.generators.pattern import PatternRecipe, pattern

COUNTS = (300, 30, 30)


@pytest.fixture(scope="module")
def made():
    return pattern(PatternRecipe(), COUNTS, seed=0)


def adjacency(raw, g):
    n = raw.node_ptr[g + 1] - raw.node_ptr[g]
    dense = np.zeros((n, n), dtype=bool)
    source, target = raw.edge_index[:, raw.edge_ptr[g] : raw.edge_ptr[g + 1]]
    dense[source, target] = True
    nodes = slice(raw.node_ptr[g], raw.node_ptr[g + 1])
    return dense, raw.x[nodes, 0], raw.y[nodes].astype(bool)


def test_each_graph_holds_a_pattern_of_20_nodes(made):
    for g in range(360):
        _, x, y = adjacency(made.graphs, g)
        assert y.sum() == 20
        assert len(y) >= 45
        assert set(x) <= {0, 1, 2}


def test_edge_probabilities(made):
    found, possible = np.zeros(2), np.zeros(2)
    within = np.zeros(2)
    for g in range(360):
        dense, _, y = adjacency(made.graphs, g)
        assert np.array_equal(dense, dense.T)
        assert not dense.diagonal().any()
        found += dense[y][:, ~y].sum(), dense[~y][:, ~y].sum()
        n = (~y).sum()
        possible += 20 * n, n * (n - 1)
        within += dense[y][:, y].sum(), 20 * 19
    joined, background = found / possible
    assert joined == pytest.approx(0.5, abs=0.005)
    # A fifth of the background's pairs is inside a community, weighted by size a little more.
    assert 0.37 < background < 0.41
    assert within[0] / within[1] == pytest.approx(0.5, abs=0.03)


def test_graphs_share_a_hundred_fixed_patterns_over_all_splits(made):
    def fingerprint(g):
        """Degrees within the pattern and features, whatever the nodes are called."""
        dense, x, y = adjacency(made.graphs, g)
        return tuple(sorted(zip(dense[y][:, y].sum(axis=0), x[y], strict=True)))

    train = [fingerprint(g) for g in range(300)]
    assert len(set(train)) == 100
    assert train[:100] == train[100:200] == train[200:]
    assert [fingerprint(300 + g) for g in range(30)] == train[:30]
    assert [fingerprint(330 + g) for g in range(30)] == train[:30]


def test_size_of_the_published_set(made):
    assert made.graphs.num_nodes / 360 == pytest.approx(118, abs=4)
    assert made.graphs.num_edges / 360 == pytest.approx(6000, rel=0.06)


def test_the_seed_decides_everything():
    one, same, other = (pattern(PatternRecipe(), (4, 1, 1), seed=s).graphs for s in (1, 1, 2))
    assert np.array_equal(one.edge_index, same.edge_index)
    assert np.array_equal(one.x, same.x)
    assert not np.array_equal(one.node_ptr, other.node_ptr)
