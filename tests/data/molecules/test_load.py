import json
from pathlib import Path

import numpy as np
import pytest

from argnp.data.molecules.load import load_molecules
from argnp.data.molecules.rejected import Rejected
from argnp.data.schema import Encoding, Features
from argnp.errors import UserError

ALKANES = [f"{'C' * (1 + i)},{i / 2 + 0.25}" for i in range(30)]


def told(notes: tuple[str, ...], *words: str) -> bool:
    return any(all(word in note for word in words) for note in notes)


def test_the_benchmark_file_gives_the_benchmarks_dataset(shared_data: Path, zinc12k) -> None:
    data = load_molecules(
        shared_data / "zinc12k.csv.gz",
        targets=["y"],
        featurizer="zinc",
        splits_column="split",
        cache=zinc12k.cache,
    )
    dataset = data.dataset
    assert {name: len(items) for name, items in dataset.splits.items()} == {
        "train": 10_000,
        "val": 1_000,
        "test": 1_000,
    }
    assert dataset.schema.node == Features("codes", sizes=(28,))
    assert dataset.schema.edge == Features("codes", sizes=(4,))
    assert dataset.schema.relations == "undirected"
    assert dataset.metric == "mae"
    assert not data.rejected
    for split, nodes, edges, y in (("test", 16, 34, 2.00), ("val", 35, 78, 0.63)):
        first = dataset.source.batch(dataset.splits[split][:1])
        assert first.topology.num_nodes == nodes
        assert first.topology.num_edges == edges
        assert first.target.item() == pytest.approx(y, abs=0.01)
    assert not told(dataset.notes, "both in")


def test_esol_loads_whole_and_its_duplicates_are_told(shared_data: Path) -> None:
    data = load_molecules(shared_data / "esol.csv", targets=["logS"])
    assert len(data.dataset.source) == len(data.smiles) == 1128
    assert data.dataset.schema.node.sizes == data.featurizer.node_sizes
    assert told(data.dataset.notes, "repeat", "11")
    assert told(data.dataset.notes, "warning", "both in")


def test_scaffolds_never_part(shared_data: Path) -> None:
    data = load_molecules(shared_data / "esol.csv", targets=["logS"], split="scaffold")
    from rdkit.Chem.Scaffolds import MurckoScaffold

    seen = {
        name: {MurckoScaffold.MurckoScaffoldSmiles(smiles=data.smiles[graph]) for graph in graphs}
        for name, graphs in data.dataset.splits.items()
    }
    assert sum(map(len, data.dataset.splits.values())) == 1128
    assert min(map(len, data.dataset.splits.values())) > 80
    assert not seen["train"] & seen["val"]
    assert not (seen["train"] | seen["val"]) & seen["test"]
    assert not told(data.dataset.notes, "both in")


@pytest.mark.parametrize("splits_column", [None, "split"])
def test_rows_that_cannot_be_read_are_left_out_and_listed(tmp_path: Path, splits_column) -> None:
    words = ["train", "train", "val", "test"]
    rows = [f"{row},{words[i % 4]}".encode() for i, row in enumerate(ALKANES)]
    bad = [b"CCO,7", b"CCO,7,train,x", b"CC\xe9,8,train", b"CCO,9,train"]
    path = tmp_path / "m.csv"
    path.write_bytes(b"\n".join([b"smiles,logS,split", *rows, *bad]))
    data = load_molecules(path, targets=["logS"], splits_column=splits_column)
    assert data.rejected == (
        Rejected(31, "2 cells for 3 columns, column split is missing", ""),
        Rejected(32, "4 cells for 3 columns; quote cells that contain the delimiter", ""),
        Rejected(33, "column smiles: not UTF-8 text", ""),
    )
    assert data.rows.tolist() == [*range(1, 31), 34]
    assert not told(data.dataset.notes, "without any target")
    with pytest.raises(UserError, match=r"row 31, 2 cells for 3 columns.*missing; mend the row"):
        load_molecules(path, targets=["logS"], on_invalid="error")


def test_a_file_none_of_whose_rows_can_be_read(write) -> None:
    path = write("m.csv", "smiles,logS", "CCO", "CC")
    with pytest.raises(UserError, match="no row can be read; row 1: 1 cells for 2 columns"):
        load_molecules(path, targets=["logS"])


def test_bad_rows_are_left_out_and_listed(write) -> None:
    path = write("m.csv", "smiles,logS", *ALKANES, "bad,1.5", "CCO,n/a", ",2.5", "CCN,")
    data = load_molecules(path, targets=["logS"])
    assert data.rejected == (
        Rejected(31, "column smiles: no valid SMILES", "bad"),
        Rejected(32, "column logS: 'n/a' is no number (blank means missing)", "CCO"),
        Rejected(33, "column smiles: blank: no molecule", ""),
    )
    assert data.rows.tolist() == list(range(1, 31))
    assert told(data.dataset.notes, "warning", "rejected: 3", "row 31")
    assert told(data.dataset.notes, "without any target", "1")


def test_a_row_knows_its_graph(write) -> None:
    path = write("m.csv", "logS,smiles", "1.5,bad", *(f"{n}.5,{'C' * n}" for n in range(1, 20)))
    data = load_molecules(path, targets=["logS"])
    for graph in range(19):
        batch = data.dataset.source.batch(np.array([graph]))
        assert batch.topology.num_nodes == len(data.smiles[graph]) == data.rows[graph] - 1
        assert batch.target.item() == data.rows[graph] - 0.5


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("bad,1", "C,x"), "row 31, column smiles: no valid SMILES in 'bad'"),
        (("C,x", "bad,1"), "row 31, column logS: 'x' is no number"),
    ],
)
def test_the_first_bad_row_stops_a_strict_run(write, rows, message: str) -> None:
    path = write("m.csv", "smiles,logS", *ALKANES, *rows)
    with pytest.raises(UserError, match=message) as caught:
        load_molecules(path, targets=["logS"], on_invalid="error")
    assert "--on-invalid skip" in str(caught.value)


def test_a_strict_run_takes_good_rows_and_blank_targets(write) -> None:
    path = write("m.csv", "smiles,logS", *ALKANES, "CCN,")
    assert len(load_molecules(path, targets=["logS"], on_invalid="error").smiles) == 30


def test_classes_keep_their_words(write) -> None:
    rows = [f"{'C' * (1 + i)},{('low', 'high')[i % 2]}" for i in range(30)]
    data = load_molecules(write("m.csv", "s,level", *rows), targets=["level"])
    assert data.class_labels == ("high", "low")
    task = data.dataset.schema.task
    assert (task.name, task.outputs, task.labels) == ("graph-classification", 2, ("high", "low"))
    assert data.dataset.source.batch(np.array([0])).target.tolist() == [1]


def test_several_labels_are_masked_where_blank(write) -> None:
    rows = [f"{'C' * (1 + i)},{i % 2},{'' if i == 3 else i % 3 // 2}" for i in range(30)]
    data = load_molecules(write("m.csv", "s,a,b", *rows), targets=["a", "b"])
    assert data.dataset.schema.task.name == "graph-multilabel"
    assert data.target_names == ("a", "b")
    batch = data.dataset.source.batch(np.array([2, 3]))
    assert batch.weight.tolist() == [[1.0, 1.0], [1.0, 0.0]]
    assert batch.target[0].tolist() == [0.0, 1.0]


def test_molecules_without_bonds_train_like_others(write) -> None:
    rows = [f"{smiles},{i}.5" for i, smiles in enumerate(["C", "O", "[Na+].[Cl-]", "N.N"] * 5)]
    data = load_molecules(write("m.csv", "s,y", *rows), targets=["y"])
    batch = data.dataset.source.batch(np.arange(4))
    assert (batch.topology.num_nodes, batch.topology.num_edges) == (6, 0)


def test_given_splits_hold_rows_of_the_file(write, tmp_path: Path) -> None:
    words = ["train"] * 20 + ["val"] * 5 + ["test"] * 5
    rows = [f"{row},{word}" for row, word in zip(ALKANES, words, strict=True)]
    path = write("m.csv", "s,y,set", "bad,0.5,train", *rows)
    by_column = load_molecules(path, targets=["y"], splits_column="set").dataset.splits
    file = tmp_path / "splits.json"
    file.write_text(
        json.dumps(
            {
                "train": list(range(21)),
                "val": list(range(21, 26)),
                "test": list(range(26, 31)),
            }
        )
    )
    by_file = load_molecules(path, targets=["y"], split_file=file).dataset.splits
    for splits in (by_column, by_file):
        assert splits["train"].tolist() == list(range(20))
        assert splits["val"].tolist() == list(range(20, 25))
        assert splits["test"].tolist() == list(range(25, 30))


def test_splits_and_fingerprints_depend_on_seed_and_content_alone(write) -> None:
    path = write("m.csv", "s,y", *ALKANES)
    first, again, other = (
        load_molecules(path, targets=["y"], seed=seed).dataset for seed in (0, 0, 1)
    )
    assert first.fingerprint == again.fingerprint != other.fingerprint
    assert first.splits["test"].tolist() == again.splits["test"].tolist()


def test_encodings_relations_and_metric_are_passed_on(write) -> None:
    data = load_molecules(
        write("m.csv", "s,y", *ALKANES),
        targets=["y"],
        encoding=Encoding("rwse", 4),
        relations="off",
        metric="rmse",
    ).dataset
    assert data.schema.encoding == Encoding("rwse", 4)
    assert data.schema.relations == "off"
    assert data.metric == "rmse"
    assert data.source.batch(np.array([5])).encoding.shape == (6, 4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"targets": []}, r"--target \(columns of numbers: y\)"),
        ({"targets": ["z"]}, "no column 'z'"),
        ({"smiles_column": "smile"}, "no column 'smile'"),
        ({"smiles_column": "y"}, "no row has a valid molecule"),
        ({"featurizer": "poor"}, "rich and zinc"),
        ({"split": "fair"}, "--split fair: there is random"),
        ({"split": "column"}, "needs --splits-column"),
        ({"split": "file"}, "needs --split-file"),
        ({"split": "scaffold", "splits_column": "s"}, "different things"),
        ({"splits_column": "y"}, "row 1, column y: '0.25' is no split"),
        ({"task": "node-regression"}, "--task node-regression: a molecule is a graph"),
        ({"on_invalid": "ask"}, "--on-invalid ask"),
    ],
)
def test_wrong_options_are_one_line(write, options: dict, message: str) -> None:
    path = write("m.csv", "s,y", *ALKANES)
    with pytest.raises(UserError, match=message) as caught:
        load_molecules(path, **({"targets": ["y"]} | options))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "message"),
    [((), "no rows below the header|no column reads"), (("C,1.5",), "split is empty")],
)
def test_too_small_a_file_is_one_line(write, rows: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_molecules(write("m.csv", "s,y", *rows), targets=["y"], smiles_column="s")
