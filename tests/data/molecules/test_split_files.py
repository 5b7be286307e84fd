import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from argnp.data.molecules.split_files import read_split_column, read_split_files, to_graphs
from argnp.errors import UserError

FILE = Path("m.csv")


def test_a_column_may_use_the_usual_words() -> None:
    rows = read_split_column(FILE, "set", ["Train", "valid", "test", "training", "val"])
    assert {name: items.tolist() for name, items in rows.items()} == {
        "train": [0, 3],
        "val": [1, 4],
        "test": [2],
    }


def test_another_word_is_refused_with_its_row() -> None:
    with pytest.raises(UserError, match=r"m.csv, row 3, column set: 'held out' is no split"):
        read_split_column(FILE, "set", ["train", "val", "held out", "test"])


def test_json_and_folders_of_numbers_say_the_same(tmp_path: Path) -> None:
    expected = {"train": [0, 2], "val": [3], "test": [1]}
    one = tmp_path / "splits.json"
    one.write_text(json.dumps({"train": [0, 2], "valid": [3], "test": [1]}))
    folder = tmp_path / "splits"
    folder.mkdir()
    (folder / "train.txt").write_text("0\n2\n")
    (folder / "valid.csv.gz").write_bytes(gzip.compress(b"3\n"))
    (folder / "test.index").write_text("1,\n")
    (folder / "README.md").write_text("not numbers")
    for path in (one, folder):
        rows = read_split_files(path)
        assert {name: items.tolist() for name, items in rows.items()} == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not json", "splits are"),
        ('{"train": [0.5]}', "splits are"),
        ('{"train": [-1]}', "splits are"),
        ('{"train": [0], "test": [1]}', "no rows for val"),
        ("[1, 2]", "splits are"),
    ],
)
def test_broken_files_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "splits.json"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        read_split_files(path)


def test_what_is_no_number_is_named(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("0 1 two")
    with pytest.raises(UserError, match="'two' is no row number"):
        read_split_files(tmp_path)
    with pytest.raises(UserError, match="no such file"):
        read_split_files(tmp_path / "absent")


def test_rows_become_graphs_and_lost_rows_fall_out() -> None:
    rows = {"train": np.array([0, 3]), "val": np.array([1]), "test": np.array([4])}
    graphs = to_graphs(rows, np.array([0, 3, 4]), 5, FILE)
    assert {name: items.tolist() for name, items in graphs.items()} == {
        "train": [0, 1],
        "val": [],
        "test": [2],
    }
    with pytest.raises(UserError, match="train names row 3, the data has rows 0 to 2"):
        to_graphs(rows, np.array([0]), 3, FILE)


def test_a_split_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    for name in ("train.txt", "train.csv", "val.txt", "test.txt"):
        (tmp_path / name).write_text("0")
    with pytest.raises(UserError, match=r"both train.csv and train.txt hold the train rows; leave"):
        read_split_files(tmp_path)
    (tmp_path / "train.csv").rename(tmp_path / "valid.csv")
    with pytest.raises(UserError, match="the val rows are given twice, once as valid; leave one"):
        read_split_files(tmp_path)
    one = tmp_path / "splits.json"
    one.write_text('{"train": [0], "val": [1], "validation": [2], "test": [3]}')
    with pytest.raises(UserError, match="the val rows are given twice"):
        read_split_files(one)


@pytest.mark.parametrize("test", [[4], [3, 3]])
def test_a_row_in_two_splits_is_named_as_in_the_file(test: list[int]) -> None:
    rows = {"train": np.array([4, 2]), "val": np.array([1]), "test": np.array(test)}
    with pytest.raises(UserError, match=rf"m.csv: row {test[0]} \(from 0\) is named more than"):
        to_graphs(rows, np.array([2, 3, 4]), 5, FILE)  # rows 0 and 1 gave no graph
