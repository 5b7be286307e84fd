import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from argnp.data.benchmarks.named import load_named
from argnp.errors import UserError

pytest.importorskip("ogb")
GRAPHS = 12


def write_csv(file, rows):
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(file, "wt") as out:
        for row in rows:
            out.write(",".join(map(str, row)) + "\n")


def write_molhiv(root, name="molhiv", label=lambda g: [g % 2]):
    """Chains of three to five atoms, each bond once, as the released csv files are."""
    home = root / f"ogbg_{name}"
    sizes = [3 + g % 3 for g in range(GRAPHS)]
    raw = {
        "num-node-list": [[n] for n in sizes],
        "num-edge-list": [[n - 1] for n in sizes],
        "edge": [[i, i + 1] for n in sizes for i in range(n - 1)],
        "node-feat": [[i % 3] * 9 for n in sizes for i in range(n)],
        "edge-feat": [[i % 2] * 3 for n in sizes for i in range(n - 1)],
        "graph-label": [label(g) for g in range(GRAPHS)],
    }
    for file, rows in raw.items():
        write_csv(home / "raw" / f"{file}.csv.gz", rows)
    for split, rows in {"train": range(8), "valid": (8, 9), "test": (10, 11)}.items():
        write_csv(home / "split" / "scaffold" / f"{split}.csv.gz", [[g] for g in rows])
    (home / "RELEASE_v1.txt").write_text("")
    return home


def write_arxiv(root):
    home, n = root / "ogbn_arxiv", 30
    rng = np.random.default_rng(0)
    raw = {
        "num-node-list": [[n]],
        "num-edge-list": [[n]],
        "edge": [[i, (i + 1) % n] for i in range(n)],
        "node-feat": rng.random((n, 4)).round(3).tolist(),
        "node_year": [[2000 + i] for i in range(n)],
        "node-label": [[i % 40] for i in range(n)],
    }
    for name, rows in raw.items():
        write_csv(home / "raw" / f"{name}.csv.gz", rows)
    for name, rows in {"train": range(20), "valid": range(20, 25), "test": range(25, 30)}.items():
        write_csv(home / "split" / "time" / f"{name}.csv.gz", [[g] for g in rows])
    (home / "RELEASE_v1.txt").write_text("")


def test_graphs_with_ogbs_own_split_and_metric(tmp_path):
    write_molhiv(tmp_path)
    data = load_named("ogb:ogbg-molhiv", tmp_path)
    assert data.metric == "roc_auc"
    assert data.schema.task.name == "graph-classification"
    assert data.schema.relations == "undirected"
    assert len(data.schema.node.sizes) == 9
    assert data.splits["val"].tolist() == [8, 9]
    assert data.splits["test"].tolist() == [10, 11]
    again = load_named("ogb:ogbg-molhiv", tmp_path)
    assert again.fingerprint == data.fingerprint, "the processed file is read as the raw ones are"


def test_many_targets_with_blanks(tmp_path):
    def label(g):
        return ["" if (g + task) % 5 == 0 else (g + task) % 2 for task in range(12)]

    write_molhiv(tmp_path, "moltox21", label)
    data = load_named("ogb:ogbg-moltox21", tmp_path)
    assert data.schema.task.name == "graph-multilabel"
    assert data.schema.task.outputs == 12
    assert data.metric == "roc_auc"
    batch = data.source.batch(np.arange(GRAPHS))
    blank = torch.tensor([[(g + task) % 5 == 0 for task in range(12)] for g in range(GRAPHS)])
    assert torch.equal(batch.weight == 0, blank)
    known = torch.tensor([[(g + task) % 2 for task in range(12)] for g in range(GRAPHS)])
    assert torch.equal(batch.target[~blank], known[~blank].to(batch.target.dtype))


def test_a_number_is_regressed(tmp_path):
    write_molhiv(tmp_path, "molesol", lambda g: [-0.5 * g])
    data = load_named("ogb:ogbg-molesol", tmp_path)
    assert data.schema.task.name == "graph-regression"
    assert data.metric == "rmse"
    batch = data.source.batch(np.arange(GRAPHS))
    assert batch.target.flatten().tolist() == [-0.5 * g for g in range(GRAPHS)]


def test_nodes_of_one_graph(tmp_path):
    write_arxiv(tmp_path)
    data = load_named("ogb:ogbn-arxiv", tmp_path)
    assert data.by_row
    assert data.metric == "accuracy"
    assert data.splits["val"].tolist() == list(range(20, 25))
    assert data.schema.node.width == 4


def test_code_in_the_processed_file_is_refused(tmp_path, attack):
    payload, bait = attack
    home = write_molhiv(tmp_path)
    (home / "processed").mkdir()
    torch.save((payload, {}), home / "processed" / "geometric_data_processed.pt")
    with pytest.raises(UserError, match="no tensor"):
        load_named("ogb:ogbg-molhiv", tmp_path)
    assert not bait.exists()


def test_another_release_is_not_asked_about(tmp_path):
    home = write_molhiv(tmp_path)
    (home / "RELEASE_v1.txt").unlink()
    with pytest.raises(UserError, match=r"RELEASE_v1.txt is missing"):
        load_named("ogb:ogbg-molhiv", tmp_path)


def test_a_missing_file_is_named_and_costs_none_of_the_others(tmp_path):
    home = write_molhiv(tmp_path)
    (home / "raw" / "node-feat.csv.gz").unlink()
    before = sorted(home.rglob("*"))
    with pytest.raises(UserError, match=r"node-feat.csv.gz is missing.*hiv.zip") as told:
        load_named("ogb:ogbg-molhiv", tmp_path)
    assert str(home / "raw") in str(told.value)
    assert sorted(home.rglob("*")) == before
    assert [path.name for path in tmp_path.iterdir()] == ["ogbg_molhiv"]


def test_the_processed_file_needs_no_raw_ones(tmp_path):
    home = write_molhiv(tmp_path)
    first = load_named("ogb:ogbg-molhiv", tmp_path)
    for file in (home / "raw").iterdir():
        file.unlink()
    assert load_named("ogb:ogbg-molhiv", tmp_path).fingerprint == first.fingerprint


def test_a_download_fills_in_what_is_missing_and_asks_nothing(tmp_path, monkeypatch):
    from ogb.graphproppred import dataset_pyg

    write_molhiv(tmp_path / "published")
    home = write_molhiv(tmp_path / "here")
    (home / "raw" / "node-feat.csv.gz").unlink()
    (home / "mine.txt").write_text("kept")

    def download_url(url, folder):
        path = Path(folder) / "hiv.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for file in (tmp_path / "published").rglob("*.*"):
                inside = file.relative_to(tmp_path / "published" / "ogbg_molhiv")
                archive.write(file, f"hiv/{inside}")
        return path

    monkeypatch.setattr(dataset_pyg, "download_url", download_url)
    monkeypatch.setattr("builtins.input", lambda _: pytest.fail("nobody answers"))
    assert len(load_named("ogb:ogbg-molhiv", tmp_path / "here").source) == GRAPHS
    assert (home / "mine.txt").read_text() == "kept"
    assert len(load_named("ogb:ogbg-molhiv", tmp_path / "new").source) == GRAPHS
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["ogbg_molhiv"]


def test_missing_files_and_wrong_names(tmp_path):
    with pytest.raises(
        UserError, match=r"edge.csv.gz is missing.*csv_mol_download/hiv.zip"
    ) as told:
        load_named("ogb:ogbg-molhiv", tmp_path)
    assert str(tmp_path / "ogbg_molhiv" / "raw") in str(told.value)
    assert not list(tmp_path.iterdir())
    with pytest.raises(UserError, match="choose ogbg-molbace"):
        load_named("ogb:ogbg-mol", tmp_path)
    with pytest.raises(UserError, match="only ogbg- and ogbn-"):
        load_named("ogb:ogbl-collab", tmp_path)
    with pytest.raises(UserError, match="words as targets"):
        load_named("ogb:ogbg-code2", tmp_path)
    with pytest.raises(UserError, match="several kinds of nodes"):
        load_named("ogb:ogbn-mag", tmp_path)
