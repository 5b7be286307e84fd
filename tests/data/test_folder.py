"""A dataset comes back from its folder as it was, or with one clear line."""

import numpy as np
import pytest
import torch

from argnp.data import mapped as mapped_module
from argnp.data.folder import is_dataset, open_dataset, save_dataset
from argnp.data.ingest import ingest
from argnp.data.schema import Encoding
from argnp.errors import UserError


@pytest.fixture
def dataset(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True, graphs=20)
    return ingest(raw, name="saved", encoding=Encoding("lap", 3), notes=["made by a test"])


@pytest.mark.parametrize("mapped", [0, 2**30])
def test_round_trip(dataset, tmp_path, monkeypatch, mapped):
    monkeypatch.setattr(mapped_module, "MAPPED", mapped)
    assert not is_dataset(tmp_path)
    save_dataset(dataset, tmp_path)
    assert is_dataset(tmp_path)
    again = open_dataset(tmp_path)
    for name in ("name", "schema", "metric", "by_row", "fingerprint", "notes"):
        assert getattr(again, name) == getattr(dataset, name)
    for name, items in dataset.splits.items():
        assert np.array_equal(again.splits[name], items)
    graphs = np.array([4, 0, 19])
    a, b = (d.source.batch(graphs, rng=np.random.default_rng(0)) for d in (dataset, again))
    for name in ("node", "edge", "encoding", "target", "graph"):
        assert torch.equal(getattr(a, name), getattr(b, name))
    assert torch.equal(a.topology.source, b.topology.source)


def test_saving_again_replaces(dataset, tmp_path, random_raw):
    save_dataset(dataset, tmp_path)
    other = ingest(random_raw(np.random.default_rng(1)), name="other")
    save_dataset(other, tmp_path)
    assert open_dataset(tmp_path).name == "other"
    assert open_dataset(tmp_path).source.encoding is None


@pytest.mark.parametrize(
    ("harm", "complaint"),
    [
        (lambda f: (f / "dataset.json").unlink(), "holds no dataset"),
        (lambda f: (f / "dataset.json").write_text("{}"), "dataset.json: .*version"),
        (lambda f: (f / "node.npy").unlink(), "node.npy is missing"),
        (lambda f: (f / "split_val.npy").unlink(), "split_val.npy is missing"),
        (lambda f: (f / "source.npy").write_bytes(b"\x93NUMPY"), "source.npy is damaged"),
        (
            lambda f: np.save(f / "y.npy", np.array([print], dtype=object), allow_pickle=True),
            "y.npy is damaged",
        ),
        (
            lambda f: (f / "dataset.json").write_text(
                (f / "dataset.json").read_text().replace('"version": 1', '"version": 9')
            ),
            "format 9, this argnp reads 1",
        ),
        (
            lambda f: (f / "dataset.json").write_text(
                (f / "dataset.json").read_text().replace('"source",', "")
            ),
            "lists too few arrays",
        ),
    ],
)
def test_damage_is_named(dataset, tmp_path, harm, complaint):
    save_dataset(dataset, tmp_path)
    harm(tmp_path)
    with pytest.raises(UserError, match=complaint):
        open_dataset(tmp_path)


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("source", lambda a: a + 10_000, "source.npy names a node that its graph has not"),
        ("target", lambda a: a - 50, "target.npy names a node that its graph has not"),
        ("node", lambda a: a[:-1], r"node.npy has \d+ rows, the graphs ask for \d+"),
        ("y", lambda a: a[:3], "y.npy has 3 rows, the graphs ask for 20"),
        ("relation_of", lambda a: a[1:], r"relation_of.npy has \d+ rows"),
        ("edge_ptr", lambda a: a[::-1].copy(), "edge_ptr.npy is damaged"),
        ("relation_ptr", lambda a: a[:-1], "relation_ptr.npy is damaged"),
    ],
)
def test_arrays_that_do_not_fit_each_other_are_refused(dataset, tmp_path, name, change, complaint):
    save_dataset(dataset, tmp_path)
    file = tmp_path / f"{name}.npy"
    np.save(file, change(np.load(file)))
    with pytest.raises(UserError, match=complaint):
        open_dataset(tmp_path)
