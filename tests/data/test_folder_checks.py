"""A folder that says nonsense is refused when it is opened, not an hour into a run."""

import json

import numpy as np
import pytest

from argnp.data import folder_checks
from argnp.data.folder import open_dataset, save_dataset
from argnp.data.generators.make import make, open_folder
from argnp.data.info import describe
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding
from argnp.errors import UserError

ARRAYS = ("node_ptr", "relation_ptr", "edge_ptr", "source", "target", "degree", "relation_of")
MORE = ("backward", "node", "edge", "encoding", "y", "split_train", "split_val", "split_test")


@pytest.fixture(params=["graph", "node", "edge", "classes", "pairs"])
def saved(request, random_raw, tmp_path):
    """A folder of each kind of targets."""
    rng = np.random.default_rng(0)
    level = request.param if request.param in ("graph", "node", "edge") else "graph"
    raw = random_raw(rng, symmetric=True, graphs=20, level=level, floats=level == "node")
    if request.param == "classes":
        raw = RawGraphs(**{**vars(raw), "y": np.arange(20) % 3})
    if request.param == "pairs":
        counts = np.diff(raw.node_ptr)
        pairs = {"edge_label_index": np.stack([counts - 1, counts * 0]).astype(np.int32)}
        pairs["edge_label_ptr"] = np.arange(21)
        raw = RawGraphs(**{**vars(raw), **pairs, "level": "edge", "y": np.arange(20) % 2})
    save_dataset(ingest(raw, name="saved", encoding=Encoding("lap", 3)), tmp_path)
    return tmp_path


def _harm(array, rng):
    """The array with one thing wrong with it, or nothing."""
    flat = array.copy()
    where = rng.integers(0, max(flat.size, 1))
    extreme = [np.nan, np.inf, -np.inf, -1, 1e30, 99] if flat.dtype.kind == "f" else [-1, 7, 99]
    changes = [
        lambda: np.put(flat, where, rng.choice(extreme)),
        lambda: flat[:-1],
        lambda: flat[..., None],
        lambda: np.concatenate([flat, flat[:1]]),
        lambda: flat.astype(rng.choice(["f2", "f8", "i8", "u1", "U3", "c8", "?"])),
        lambda: flat.reshape(-1) if flat.ndim > 1 else flat[0],
        lambda: flat[::-1],
        lambda: flat[:0],
    ]
    with np.errstate(all="ignore"):
        found = changes[rng.integers(0, len(changes))]()
    return flat if found is None else found


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
def test_whatever_is_in_the_files_it_is_refused_in_a_line_or_can_be_used(saved, monkeypatch):
    monkeypatch.setattr(folder_checks, "BLOCK", 16)
    rng = np.random.default_rng(1)
    refused = []
    for name in (*ARRAYS, *MORE) * 12:
        file = saved / f"{name}.npy"
        whole = file.read_bytes()
        np.save(file, _harm(np.load(file), rng))
        try:
            dataset = open_dataset(saved)
        except UserError as told:
            refused.append(str(told))
        else:
            describe(dataset)
            batch = dataset.source.batch(np.arange(len(dataset.source)))
            assert batch.node.isfinite().all()
        file.write_bytes(whole)
    assert len(refused) > 60
    assert all("\n" not in line and str(saved) in line for line in refused)
    describe(open_dataset(saved))


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("y", lambda a: np.where(a == 2, 7, a), r"y.npy holds 7 in row 2: classes are 0 to 2"),
        ("node", lambda a: a + 200, r"node.npy holds 20\d in row 0, column 0: the codes are not"),
        ("degree", lambda a: a * np.nan, r"degree.npy holds what is no number of edges"),
        ("relation_of", lambda a: a + 500, r"relation_of.npy names a relation that its graph"),
        ("split_val", lambda a: a * 0 + 20, r"split_val.npy names graph 20, there are 0 to 19"),
        ("split_test", lambda a: a[:0], r"split_test.npy is int64 of shape \(0,\), which is no"),
        ("encoding", lambda a: a / 0, r"encoding.npy holds (nan|-?inf) in row 0, column 0"),
        ("source", lambda a: a.astype(np.int64), r"source.npy is int64 of .*: not its form"),
    ],
)
@pytest.mark.parametrize("saved", ["classes"], indirect=True)
def test_what_is_wrong_is_named(saved, name, change, complaint):
    file = saved / f"{name}.npy"
    with np.errstate(all="ignore"):
        np.save(file, change(np.load(file)))
    with pytest.raises(UserError, match=complaint):
        open_dataset(saved)


@pytest.mark.parametrize("saved", ["classes"], indirect=True)
@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"metric": "accuracy"', '"metric": "mae"', "metric 'mae' does not fit"),
        ('"outputs": 3', '"outputs": 1', "tells of 1 outputs"),
        ('"level": "graph"', '"level": "node"', "asks? for|contradicts|is no"),
        ('"undirected": true', '"undirected": false', "contradicts the arrays"),
    ],
)
def test_a_card_that_contradicts_itself_is_refused(saved, old, new, complaint):
    card = saved / "dataset.json"
    assert old in card.read_text()
    card.write_text(card.read_text().replace(old, new, 1))
    with pytest.raises(UserError, match=complaint):
        open_dataset(saved)


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("y", lambda a: a + 50, r"y.npy holds \d+ in row \d+: classes are 0 to"),
        ("y", lambda a: a * 0 - 1, "leaves cloud 0 without a class"),
        ("points", lambda a: a * np.nan, "points.npy holds nan in cloud 0, point 0"),
        ("split_val", lambda a: a + 100, "split_val.npy names cloud"),
        ("split_val", lambda a: a * 0, "that is in a split already"),
    ],
)
def test_point_clouds_are_looked_at_too(tmp_path, name, change, complaint):
    folder = tmp_path / "s"
    make("shapes", folder, (12, 3, 3), parameters={"points": 8})
    np.save(folder / f"{name}.npy", change(np.load(folder / f"{name}.npy")))
    with pytest.raises(UserError, match=complaint):
        open_folder(folder)


def test_a_card_of_other_clouds_is_refused(tmp_path):
    folder = tmp_path / "s"
    make("shapes", folder, (12, 3, 3), parameters={"points": 8})
    card = json.loads((folder / "pointclouds.json").read_text())
    (folder / "pointclouds.json").write_text(json.dumps({**card, "neighbours": 0}))
    with pytest.raises(UserError, match="does not tell of the point clouds"):
        open_folder(folder)
