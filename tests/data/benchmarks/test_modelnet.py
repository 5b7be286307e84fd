import os

import numpy as np
import pytest

from argnp.data.benchmarks.named import load_named
from argnp.data.benchmarks.off import read_off
from argnp.errors import UserError

CLASSES = ("bathtub", "chair", "table")


def write_off(file, size, glued=False):
    """A box of quadrilaterals and triangles."""
    x, y, z = size
    corners = [(a, b, c) for a in (0, x) for b in (0, y) for c in (0, z)]
    faces = [(4, 0, 1, 3, 2), (4, 4, 6, 7, 5), (4, 0, 4, 5, 1), (4, 2, 3, 7, 6)]
    faces += [(3, 0, 2, 6), (3, 0, 6, 4), (3, 1, 5, 7), (3, 1, 7, 3)]
    head = f"OFF{'' if glued else chr(10)}{len(corners)} {len(faces)} 0\n"
    lines = [" ".join(map(str, row)) for row in [*corners, *faces]]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(head + "\n".join(lines) + "\n")


def write_meshes(folder, train=20, test=4):
    for c, name in enumerate(CLASSES):
        for split, count in (("train", train), ("test", test)):
            for i in range(count):
                size = (1 + c, 1 + i / 10, 2)
                write_off(folder / name / split / f"{name}_{i:04}.off", size, glued=i % 2 == 1)


@pytest.mark.parametrize("place", ["ModelNet10", "ModelNet10/raw", "raw"])
def test_meshes_become_points_with_nearest_neighbours(tmp_path, place):
    write_meshes(tmp_path / place)
    data = load_named("modelnet10", tmp_path, points=64)
    assert data.schema.task.labels == CLASSES
    assert data.metric == "accuracy"
    assert [len(data.splits[s]) for s in ("train", "val", "test")] == [54, 6, 12]
    for split in ("val", "test"):
        counts = np.bincount(data.source.batch(data.splits[split]).target)
        assert len(set(counts.tolist())) == 1, "every class alike"
    batch = data.source.batch(data.splits["test"][:2])
    assert batch.topology.num_relations == 2 * 64 * 9
    assert float(batch.node.norm(dim=1).max()) == pytest.approx(1)


def test_seed_decides_and_the_kept_points_are_the_same(tmp_path):
    write_meshes(tmp_path / "ModelNet40", train=10, test=2)
    one, kept = (load_named("modelnet40", tmp_path, points=16, seed=1) for _ in range(2))
    assert (tmp_path / "ModelNet40" / "argnp").is_dir()
    assert one.fingerprint == kept.fingerprint
    other = load_named("modelnet40", tmp_path, points=16, seed=2)
    assert other.fingerprint != one.fingerprint
    for file in (tmp_path / "ModelNet40" / "argnp").iterdir():
        file.write_bytes(b"damaged")
    assert load_named("modelnet40", tmp_path, points=16, seed=1).fingerprint == one.fingerprint


def test_a_mesh_that_changed_is_read_again(tmp_path):
    write_meshes(tmp_path / "ModelNet10", train=10, test=2)
    file = tmp_path / "ModelNet10" / "chair" / "train" / "chair_0000.off"
    write_off(file, (1, 2, 3))
    first = load_named("modelnet10", tmp_path, points=8)
    size = file.stat().st_size
    write_off(file, (3, 2, 2))
    assert file.stat().st_size == size
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
    assert load_named("modelnet10", tmp_path, points=8).fingerprint != first.fingerprint


def test_progress_is_told_while_meshes_are_read(tmp_path):
    write_meshes(tmp_path, train=2, test=1)
    told = []
    for _ in range(2):
        load_named("modelnet10", tmp_path, points=8, progress=lambda *now: told.append(now))
    assert told == [(n + 1, 9) for n in range(9)], "and not for the points that are kept"


def test_more_classes_than_the_name_says_are_refused(tmp_path):
    for number in range(11):
        write_off(tmp_path / "ModelNet40" / f"class{number}" / "train" / "mesh.off", (1, 2, 3))
    with pytest.raises(UserError, match=r"modelnet10: .*ModelNet40 holds 11 classes") as told:
        load_named("modelnet10", tmp_path / "ModelNet40")
    assert "say modelnet40" in str(told.value)


@pytest.mark.parametrize("glued", [False, True])
def test_off_is_read_as_pyg_reads_it(tmp_path, glued):
    from torch_geometric.io import read_off as pyg_read_off

    file = tmp_path / "box.off"
    write_off(file, (1, 2, 3), glued)
    theirs = pyg_read_off(str(file))
    vertices, faces = read_off(file)
    assert np.allclose(vertices, theirs.pos.numpy())
    # Quadrilaterals may stand elsewhere in the list of triangles.
    assert set(map(tuple, faces.tolist())) == set(map(tuple, theirs.face.T.tolist()))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "does not begin with OFF"),
        ("OFF\n2 1 0\n0 0 0\n", "ends within its 2 vertices"),
        ("OFF\n1 1 0\n0 0 0\n3 0 1 2\n", "a vertex beyond its 1"),
        ("OFF\n1 1 0\n0 0 nan\n3 0 0 0\n", "no finite number"),
        ("OFF\nx y 0\n", "no OFF mesh"),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", "ends within its 1 faces"),
    ],
)
def test_a_broken_mesh_is_named(tmp_path, text, why):
    file = tmp_path / "broken.off"
    file.write_text(text)
    with pytest.raises(UserError, match=why) as told:
        read_off(file)
    assert str(file) in str(told.value)


def test_a_mesh_without_surface_is_named(tmp_path):
    write_meshes(tmp_path, train=2, test=1)
    file = tmp_path / "chair" / "train" / "chair_0000.off"
    file.write_text("OFF\n3 1 0\n0 0 0\n0 0 0\n0 0 0\n3 0 1 2\n")
    with pytest.raises(UserError, match=r"chair_0000.off: the mesh has no surface"):
        load_named("modelnet10", tmp_path, points=8)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(UserError, match=r"bathtub is missing.*ModelNet40.zip") as told:
        load_named("modelnet40", tmp_path)
    assert str(tmp_path / "ModelNet40" / "raw") in str(told.value)
    assert not list(tmp_path.iterdir())
