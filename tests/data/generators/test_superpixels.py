import numpy as np
import pytest

from argnp.data.generators.make import generate
from argnp.data.generators.superpixels import near, patches, superpixel_graphs
from argnp.errors import UserError

pytest.importorskip("skimage")


def pictures(count, colour=True, seed=0):
    """Waves, brighter towards the right, with a little noise."""
    rng = np.random.default_rng(seed)
    size = 32 if colour else 28
    row, column = np.indices((size, size))
    phases = rng.uniform(0, 6, (count, 1, 1, 3))
    images = 40 * np.sin(row[..., None] / 3 + phases) + 110 + 4 * (column[..., None] - size / 2)
    images = (images + rng.uniform(0, 8, images.shape)).astype(np.uint8)
    return images if colour else images[..., 0]


@pytest.mark.parametrize(("colour", "at_most", "compactness"), [(True, 150, 10), (False, 75, 0.25)])
def test_patches_are_never_more_than_asked_for_and_numbered_without_gaps(
    colour, at_most, compactness
):
    for image in pictures(4, colour):
        number = patches(image / 255, at_most, compactness)
        assert number.shape == image.shape[:2]
        used = np.unique(number)
        assert 0.6 * at_most < len(used) <= at_most
        assert np.array_equal(used, np.arange(len(used)))


def test_weights_follow_the_formula():
    centres = np.random.default_rng(0).random((12, 2))
    weights = near(centres)
    for i in range(12):
        for j in range(12):
            expected = 0.0
            for a, b in ((i, j), (j, i)):
                apart = sorted(np.linalg.norm(centres[a] - c) for c in centres)
                sigma = np.mean(apart[1:9])
                expected += np.exp(-((np.linalg.norm(centres[a] - centres[b]) / sigma) ** 2)) / 2
            assert weights[i, j] == pytest.approx(0 if i == j else expected)


def test_graphs_of_a_picture():
    raw = superpixel_graphs(
        pictures(3), np.array([0, 1, 1]), ("a", "b"), at_most=40, compactness=10
    )
    n = raw.node_ptr[1]
    assert raw.x.shape[1] == 5
    assert raw.x.min() >= 0
    assert raw.x.max() <= 1
    edges = raw.edge_index[:, : raw.edge_ptr[1]]
    assert edges.shape[1] == 8 * n
    assert np.array_equal(np.bincount(edges[0]), np.full(n, 8))
    assert (edges[0] != edges[1]).all()
    weights = near(raw.x[:n, 3:].astype(np.float64))
    assert np.allclose(raw.edge_attr[: 8 * n, 0], weights[edges[0], edges[1]], atol=1e-4)
    for point in range(n):
        kept = weights[point, edges[1, edges[0] == point]]
        assert kept.min() >= np.sort(weights[point])[-8] - 1e-6
    # The picture is dark on the left and bright on the right.
    left = raw.x[:n, 3] < 0.5
    assert raw.x[:n][left, 0].mean() < 0.4
    assert raw.x[:n][~left, 0].mean() > 0.45


def test_a_single_patch_is_a_graph_without_edges():
    flat = np.zeros((1, 4, 4, 3), dtype=np.uint8)
    raw = superpixel_graphs(flat, np.array([0]), (), at_most=1, compactness=10)
    assert (raw.num_nodes, raw.num_edges) == (1, 0)


def test_a_folder_of_images(tmp_path):
    image = pytest.importorskip("PIL.Image")
    for c, name in enumerate(("cat", "dog")):
        (tmp_path / name).mkdir()
        for i, picture in enumerate(pictures(10, seed=c)):
            image.fromarray(picture).save(tmp_path / name / f"{i}.png")
    parameters = {"images": str(tmp_path), "patches": 20}
    data = generate("superpixels", parameters=parameters)
    assert data.schema.task.labels == ("cat", "dog")
    assert data.schema.node.width == 5
    assert [len(data.splits[s]) for s in ("train", "val", "test")] == [16, 2, 2]
    fewer = generate("superpixels", (4, 2, 2), parameters=parameters)
    assert len(fewer.source) == 8
    with pytest.raises(UserError, match="there are"):
        generate("superpixels", (40, 2, 2), parameters=parameters)
    (tmp_path / "dog" / "3.png").write_text("no picture")
    with pytest.raises(UserError, match=r"3\.png is no image"):
        generate("superpixels", parameters=parameters)


def test_a_folder_with_splits_of_its_own(tmp_path):
    image = pytest.importorskip("PIL.Image")
    for s, (split, count) in enumerate((("train", 3), ("val", 1), ("test", 2))):
        for name in ("a", "b"):
            (tmp_path / split / name).mkdir(parents=True)
            for i, picture in enumerate(pictures(count, seed=s)):
                image.fromarray(picture).save(tmp_path / split / name / f"{i}.png")
    data = generate("superpixels", parameters={"images": str(tmp_path), "patches": 12})
    assert [len(data.splits[s]) for s in ("train", "val", "test")] == [6, 2, 4]


def test_arrays_of_images(tmp_path):
    np.save(tmp_path / "images.npy", pictures(20, colour=False))
    np.save(tmp_path / "labels.npy", np.arange(20) % 2)
    parameters = {"images": str(tmp_path), "style": "mnist", "patches": 15}
    data = generate("superpixels", parameters=parameters)
    assert data.schema.node.width == 3
    with pytest.raises(UserError, match="has shape"):
        generate("superpixels", parameters={**parameters, "style": "cifar10"})
    np.save(tmp_path / "labels.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(UserError, match=r"labels\.npy"):
        generate("superpixels", parameters=parameters)


def test_without_images_the_parameter_is_named(tmp_path):
    with pytest.raises(UserError, match="images=FOLDER"):
        generate("superpixels")
    with pytest.raises(UserError, match="no images in"):
        generate("superpixels", parameters={"images": str(tmp_path)})
    with pytest.raises(UserError, match="there is no folder"):
        generate("superpixels", parameters={"images": str(tmp_path / "none")})


def test_progress_is_told_image_by_image():
    told = []
    superpixel_graphs(
        pictures(3),
        np.arange(3),
        ("a", "b", "c"),
        at_most=150,
        compactness=10,
        progress=lambda *now: told.append(now),
    )
    assert told == [(1, 3), (2, 3), (3, 3)]
