import time

import numpy as np
import pytest
import torch

from argnp.data.pointclouds import Clouds, PointCloudSource, jitter, nearest_points


def clouds(graphs=4, points=50, seed=0):
    rng = np.random.default_rng(seed)
    return Clouds(rng.normal(size=(graphs, points, 3)).astype(np.float32), np.arange(graphs))


def by_hand(points, k):
    """The k nearest others of every point, by sorting all distances."""
    apart = np.linalg.norm(points[:, None].astype(np.float64) - points, axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.argsort(apart, axis=1)[:, :k]


def test_relations_lead_from_the_nearest_to_the_point():
    held = clouds()
    batch = PointCloudSource(held).batch(np.array([2, 0]))
    topology = batch.topology
    assert topology.num_nodes == 100
    assert topology.num_relations == 900
    assert topology.node_ptr.tolist() == [0, 50, 100]
    assert topology.relation_ptr.tolist() == [0, 450, 900]
    assert (topology.target.diff() >= 0).all()
    assert (topology.degree == 9).all()
    assert not topology.undirected
    assert batch.target.tolist() == [2, 0]
    assert batch.graph.tolist() == [2, 0]
    for place, graph in enumerate((2, 0)):
        expected = by_hand(held.points[graph], 9)
        for point in range(50):
            here = topology.target == 50 * place + point
            assert set((topology.source[here] - 50 * place).tolist()) == set(expected[point])
    assert torch.equal(batch.node, torch.from_numpy(held.points[[2, 0]].reshape(-1, 3)))


def test_a_point_is_never_its_own_neighbour_even_among_copies():
    points = np.repeat(np.eye(3, dtype=np.float32), 15, axis=0)
    found = nearest_points(points, 9)
    assert found.shape == (45, 9)
    assert (found != np.arange(45)[:, None]).all()
    assert all(len(set(row)) == 9 for row in found.tolist())


def test_few_points_have_fewer_neighbours():
    source = PointCloudSource(clouds(points=4))
    assert source.batch(np.array([0])).topology.num_relations == 12
    assert [s.tolist() for s in source.sizes()] == [[4] * 4, [12] * 4]


def test_training_changes_the_clouds_and_then_finds_neighbours():
    source = PointCloudSource(clouds())
    still = source.batch(np.arange(4))
    one, same, other = (source.batch(np.arange(4), rng=np.random.default_rng(s)) for s in (1, 1, 2))
    assert torch.equal(one.node, same.node)
    assert not torch.equal(one.node, other.node)
    assert not torch.equal(one.topology.source, still.topology.source)
    moved = one.node.reshape(4, 50, 3).numpy()
    expected = by_hand(moved[3], 9)
    found = (one.topology.source[-450:] - 150).reshape(50, 9).numpy()
    assert all(map(np.array_equal, np.sort(found), np.sort(expected)))
    assert torch.equal(source.batch(np.arange(4)).node, still.node), "the stored cloud stays"


def test_augmentation_is_a_stretch_and_a_shift_within_bounds():
    ends = np.array([[0, 0, 0], [1, 1, 1]], dtype=np.float32)
    points = jitter(np.tile(ends, (2000, 1, 1)), np.random.default_rng(0))
    shift, scale = points[:, 0], points[:, 1] - points[:, 0]
    for values, low, high in ((shift, -0.2, 0.2), (scale, 2 / 3, 3 / 2)):
        assert values.min() >= low - 1e-6
        assert values.max() <= high + 1e-6
        assert values.mean() == pytest.approx((low + high) / 2, abs=0.02)
    assert np.abs(np.corrcoef(scale.T)[0, 1:]).max() < 0.1, "every axis has its own"


def test_neighbours_are_kept_and_do_not_depend_on_workers(monkeypatch):
    calls = []

    def counted(points, k):
        calls.append(1)
        return nearest_points(points, k)

    monkeypatch.setattr("argnp.data.pointclouds.nearest_points", counted)
    one, three = PointCloudSource(clouds()), PointCloudSource(clouds(), workers=3)
    first = one.batch(np.array([0, 1, 1, 3]))
    assert len(calls) == 3
    again = one.batch(np.array([1, 0, 3, 2]))
    assert len(calls) == 4
    assert torch.equal(first.topology.source[:450] + 50, again.topology.source[450:900])
    for rng in (None, 5):
        a, b = (
            s.batch(np.arange(4), rng=None if rng is None else np.random.default_rng(rng))
            for s in (one, three)
        )
        assert torch.equal(a.topology.source, b.topology.source)
        assert torch.equal(a.node, b.node)


def test_rows_that_do_not_count_weigh_nothing():
    batch = PointCloudSource(clouds()).batch(np.array([3, 1]), rows=np.array([1, 2]))
    assert batch.weight.tolist() == [0, 1]


def test_a_batch_of_16_clouds_of_1024_points_is_fast():
    source = PointCloudSource(clouds(16, 1024))
    best = np.inf
    for seed in range(3):
        start = time.perf_counter()
        source.batch(np.arange(16), rng=np.random.default_rng(seed))
        best = min(best, time.perf_counter() - start)
    assert best < 0.3, "about 0.03 s on an idle processor"
