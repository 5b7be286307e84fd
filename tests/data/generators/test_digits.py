import numpy as np
import pytest

from argnp.data.generators.digits import DigitsRecipe, digits
from argnp.errors import UserError

datasets = pytest.importorskip("sklearn.datasets")


@pytest.fixture(scope="module")
def made():
    return digits(DigitsRecipe(), (1_257, 270, 270), seed=0)


def image(raw, g):
    """Painted back from the graph."""
    x = raw.x[raw.node_ptr[g] : raw.node_ptr[g + 1]]
    painted = np.zeros((8, 8))
    painted[np.rint(x[:, 2] * 7).astype(int), np.rint(x[:, 1] * 7).astype(int)] = x[:, 0] * 16
    return painted


def test_every_image_is_there_once_with_its_label(made):
    original, y = datasets.load_digits(return_X_y=True)
    theirs = sorted((*row.astype(int), label) for row, label in zip(original, y, strict=True))
    ours = sorted(
        (*np.rint(image(made.graphs, g)).astype(int).ravel(), made.graphs.y[g])
        for g in range(len(y))
    )
    assert ours == theirs


def test_relations_join_inked_pixels_that_touch(made):
    raw = made.graphs
    for g in (0, 700, 1796):
        ink = np.argwhere(image(raw, g) > 0)
        apart = np.abs(ink[:, None] - ink).max(axis=2)
        expected = {(a, b) for a, b in np.argwhere(apart == 1).tolist()}
        edges = slice(raw.edge_ptr[g], raw.edge_ptr[g + 1])
        index = raw.edge_index[:, edges]
        assert set(map(tuple, index.T.tolist())) == expected
        length = np.linalg.norm(ink[index[0]] - ink[index[1]], axis=1)
        assert np.allclose(raw.edge_attr[edges, 0], length)


def test_splits_are_stratified(made):
    assert [len(made.splits[s]) for s in ("train", "val", "test")] == [1257, 270, 270]
    assert sorted(np.concatenate(list(made.splits.values()))) == list(range(1797))
    for split in made.splits.values():
        share = np.bincount(made.graphs.y[split]) / len(split)
        assert share == pytest.approx(np.full(10, 0.1), abs=0.01)


def test_fewer_graphs_are_balanced_too():
    made = digits(DigitsRecipe(), (60, 20, 20), seed=0)
    assert np.bincount(made.graphs.y).tolist() == [10] * 10
    assert np.bincount(made.graphs.y[made.splits["train"]]).tolist() == [6] * 10


def test_the_seed_decides_which_and_how_they_are_split():
    one, same, other = (digits(DigitsRecipe(), (60, 20, 20), seed=s) for s in (1, 1, 2))
    assert np.array_equal(one.graphs.x, same.graphs.x)
    assert np.array_equal(one.splits["val"], same.splits["val"])
    assert one.graphs.num_nodes != other.graphs.num_nodes


def test_there_are_not_more_images_than_there_are():
    with pytest.raises(UserError, match="there are 1797 images"):
        digits(DigitsRecipe(), (1700, 100, 100), seed=0)
