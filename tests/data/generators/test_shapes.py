import numpy as np
import pytest

from argnp.data.generators.furniture import FURNITURE
from argnp.data.generators.make import generate
from argnp.data.generators.shapes import ShapesRecipe, shapes
from argnp.data.generators.solids import box, joined, post
from argnp.data.pointclouds_sampling import sample_surface
from argnp.errors import UserError


def area(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


def volume(mesh):
    """Signed: positive where every triangle faces outwards."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return (a * np.cross(b, c)).sum() / 6


def test_solids_are_closed_and_as_large_as_they_should_be():
    brick = box(1, 2, 3, 2, 3, 4)
    assert area(brick) == pytest.approx(2 * (2 * 3 + 3 * 4 + 2 * 4))
    assert volume(brick) == pytest.approx(24)
    assert brick.vertices.min(axis=0) == pytest.approx([0, 0.5, 3])
    round_one = post(1, 2, 3, 0.5, 0.5, 2)
    assert volume(round_one) == pytest.approx(np.pi / 4 * 2, rel=0.03)
    assert volume(joined([brick, round_one])) == pytest.approx(volume(brick) + volume(round_one))


def test_points_are_uniform_on_the_surface():
    mesh = box(0, 0, 0, 1, 1, 3)
    points = sample_surface(mesh.vertices, mesh.faces, 20_000, np.random.default_rng(0))
    on_top = np.isclose(points[:, 2], 3).mean()
    assert on_top == pytest.approx(1 / 14, abs=0.01)
    inside = (points > mesh.vertices.min(axis=0) + 1e-9) & (
        points < mesh.vertices.max(axis=0) - 1e-9
    )
    assert not inside.all(axis=1).any()
    sides = points[(points[:, 2] > 0) & (points[:, 2] < 3)]
    assert sides[:, 2].mean() == pytest.approx(1.5, abs=0.05)


def test_at_least_ten_classes_evenly_in_every_split():
    made = shapes(ShapesRecipe(points=32), (48, 24, 24), seed=0)
    assert len(FURNITURE) >= 10
    assert made.graphs.labels == tuple(FURNITURE)
    for split in made.splits.values():
        assert len(set(np.bincount(made.graphs.y[split]).tolist())) == 1


def test_clouds_fill_the_unit_sphere():
    points = shapes(ShapesRecipe(points=256), (12, 12, 12), seed=0).graphs.points
    assert points.shape == (36, 256, 3)
    assert points.dtype == np.float32
    assert np.linalg.norm(points, axis=2).max(axis=1) == pytest.approx(np.ones(36), abs=1e-5)
    assert points.mean(axis=1) == pytest.approx(np.zeros((36, 3)), abs=1e-5)


def test_objects_of_a_class_differ_in_pose_and_proportions():
    recipe = ShapesRecipe(points=512, noise=0.0, classes=2)
    points = shapes(recipe, (20, 2, 2), seed=0).graphs.points[:20:2]
    heights = np.ptp(points[:, :, 2], axis=1)
    assert np.std(heights) > 0.01
    flat = points[:, :, :2]
    longest = [np.linalg.svd(cloud - cloud.mean(axis=0))[2][0] for cloud in flat]
    angles = np.arctan2(*np.array(longest).T) % np.pi
    assert np.ptp(angles) > 1


def test_noise_lifts_points_off_the_surface():
    still, noisy = (
        shapes(ShapesRecipe(points=64, noise=n), (12, 1, 1), seed=0).graphs.points
        for n in (0.0, 0.05)
    )
    assert 0.02 < np.abs(still - noisy).mean() < 0.1


def test_classes_can_be_told_apart_by_simple_means():
    """Nearest neighbour on sorted heights: far better than the 1 in 12 of chance."""
    made = shapes(ShapesRecipe(points=256), (240, 12, 60), seed=0)
    heights = np.sort(made.graphs.points[:, :, 2], axis=1)
    train, test = made.splits["train"], made.splits["test"]
    apart = np.linalg.norm(heights[test][:, None] - heights[train], axis=2)
    guess = made.graphs.y[train][apart.argmin(axis=1)]
    assert (guess == made.graphs.y[test]).mean() > 0.5


def test_the_seed_decides_everything():
    recipe = ShapesRecipe(points=16)
    one, same, other = (shapes(recipe, (12, 1, 1), seed=s).graphs.points for s in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_as_a_dataset():
    data = generate("shapes", (24, 12, 12), parameters={"points": 64})
    assert data.schema.task.name == "graph-classification"
    assert data.schema.relations == "directed"
    assert data.metric == "accuracy"
    assert data.source.batch(data.splits["val"]).num_graphs == 12
    with pytest.raises(UserError, match="there are 12"):
        generate("shapes", parameters={"classes": 13})
    with pytest.raises(UserError, match="directed relations"):
        generate("shapes", (3, 3, 3), parameters={"points": 16}, relations="undirected")
