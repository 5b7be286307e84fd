import numpy as np
import pytest

from argnp.model.explain_layout import ball, layout, within

PATH = np.array([[i, i + 1] for i in range(9)])
RING = np.array([[i, (i + 1) % 6] for i in range(6)])


def test_distances_are_those_in_the_graph():
    x = layout(10, PATH)
    apart = np.linalg.norm(x[:, None] - x, axis=2)
    hops = np.abs(np.arange(10)[:, None] - np.arange(10))
    np.testing.assert_allclose(apart, hops, atol=0.3)
    sides = np.linalg.norm(np.diff(layout(6, RING)[[0, 1, 2, 3, 4, 5, 0]], axis=0), axis=1)
    np.testing.assert_allclose(sides, sides[0], rtol=0.02)


def test_leaves_of_one_node_do_not_coincide():
    star = np.array([[0, i] for i in range(1, 8)])
    x = layout(8, star)
    apart = np.linalg.norm(x[:, None] - x, axis=2)
    assert apart[np.triu_indices(8, 1)].min() > 0.2


@pytest.mark.parametrize("nodes", [0, 1, 2, 5])
def test_small_and_unconnected_graphs(nodes):
    x = layout(nodes, np.empty((0, 2), np.int64))
    assert x.shape == (nodes, 2)
    assert np.isfinite(x).all()
    if nodes > 1:
        assert len(np.unique(x.round(3), axis=0)) == nodes


def test_it_is_the_same_every_time():
    assert np.array_equal(layout(6, RING), layout(6, RING))


def test_a_ball_holds_what_is_near():
    assert ball(10, PATH, 4, most=5).tolist() == [2, 3, 4, 5, 6]
    assert ball(10, PATH, 4, most=10).tolist() == list(range(10))


def test_relations_within_a_part_are_renumbered():
    inside, pairs = within(PATH, np.array([2, 3, 5, 6]), 10)
    assert inside.tolist() == [2, 5]
    assert pairs.tolist() == [[0, 1], [2, 3]]
