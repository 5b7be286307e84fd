import copy
import json
from pathlib import Path
from typing import Any

import pytest

from argnp.report.extras import read_extras


def put(folder: Path, name: str, text: str) -> None:
    (folder / "report").mkdir(exist_ok=True)
    (folder / "report" / f"{name}.json").write_text(text)


def test_sound_files_are_read(tmp_path: Path, extras: dict[str, Any]) -> None:
    for name, value in extras.items():
        put(tmp_path, name, json.dumps(value))
    assert read_extras(tmp_path) == (extras, [])


def test_a_folder_without_any(tmp_path: Path) -> None:
    assert read_extras(tmp_path) == ({}, [])


BROKEN: list[tuple[str, list[Any], Any, str]] = [
    ("predictions", ["kind"], "guess", "'guess'"),
    ("predictions", ["columns", 0, "truth"], [1.0], "113 numbers, 1 are expected"),
    ("predictions", ["columns", 0, "name"], 7, "'name' (str) is missing"),
    ("features", ["kind"], "cloud", "points, molecule or graph"),
    ("features", ["examples", 0, "relations", 0], [0, 9999], "no two nodes"),
    ("features", ["examples", 0, "vertices", 1, "node"], [0.5], "300 are expected"),
    ("features", ["examples", 0, "positions", 3], [0.5], "2 or 3 numbers"),
    ("features", ["examples", 0, "orders"], [1.0], "1200 are expected"),
    ("explain", ["examples", 0, "labels"], ["C"], "labels: 6 are expected"),
    ("explain", ["examples", 0, "marked"], [6], "6 is no node"),
    ("explain", ["method"], None, "'method' (str) is missing"),
    ("explain", ["examples", 0, "node_importance", 0], "much", "'much' is no number"),
    ("explain", ["examples", 0, "relation_importance"], [1.0], "6 are expected"),
]


@pytest.mark.parametrize(("name", "where", "value", "told"), BROKEN)
def test_a_misshapen_file_is_left_out_and_named(
    tmp_path: Path, extras: dict[str, Any], name: str, where: list[Any], value: Any, told: str
) -> None:
    broken = copy.deepcopy(extras[name])
    inside = broken
    for step in where[:-1]:
        inside = inside[step]
    inside[where[-1]] = value
    put(tmp_path, name, json.dumps(broken))
    found, complaints = read_extras(tmp_path)
    assert found == {}
    assert len(complaints) == 1
    assert told in complaints[0]
    assert f"report/{name}.json" in complaints[0]


@pytest.mark.parametrize("text", ["", "[", "[]", "null", '{"kind": "regression"}', "[" * 100_000])
def test_what_is_no_such_file_at_all(tmp_path: Path, text: str) -> None:
    put(tmp_path, "predictions", text)
    assert read_extras(tmp_path)[0] == {}


def test_confusion_must_be_square(tmp_path: Path) -> None:
    value = {"kind": "classification", "labels": ["a", "b"], "confusion": [[1, 2], [3]]}
    put(tmp_path, "predictions", json.dumps(value))
    assert "1 numbers, 2 are expected" in read_extras(tmp_path)[1][0]


def test_labels_have_a_matrix_of_two_rows_each(tmp_path: Path) -> None:
    value = {"kind": "multilabel", "labels": ["a"], "confusions": [[[1, 2], [3, 4]]]}
    put(tmp_path, "predictions", json.dumps(value))
    assert read_extras(tmp_path)[0]["predictions"] == value
    for broken in ([], [[[1, 2]]], [[[1, 2], [3]]], [[[1, 2], None]]):
        put(tmp_path, "predictions", json.dumps(value | {"confusions": broken}))
        found, complaints = read_extras(tmp_path)
        assert found == {}
        assert "confusions" in complaints[0]


def test_numbers_that_are_not_finite_are_refused_or_missing(tmp_path: Path) -> None:
    column = '{"name": "y", "truth": [NaN, 1], "prediction": [%s, 2]}'
    text = '{"kind": "regression", "columns": [' + column + "]}"
    put(tmp_path, "predictions", text % "Infinity")
    found, _ = read_extras(tmp_path)
    assert found["predictions"]["columns"][0]["truth"] == [None, 1]
    put(tmp_path, "predictions", text % "1e999")
    assert read_extras(tmp_path)[0] == {}
