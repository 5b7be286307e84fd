from pathlib import Path

import numpy as np
import pytest

from argnp.data.molecules.cells import to_number
from argnp.data.molecules.targets import read_targets
from argnp.errors import UserError

FILE = Path("m.csv")


@pytest.mark.parametrize(
    ("cell", "number"),
    [("1.5", 1.5), ("-2e3", -2000.0), ("True", 1.0), ("false", 0.0), (" 7", 7.0)],
)
def test_numbers(cell: str, number: float) -> None:
    assert to_number(cell) == number


@pytest.mark.parametrize("cell", ["", "nan", "NaN"])
def test_missing(cell: str) -> None:
    assert np.isnan(to_number(cell))


@pytest.mark.parametrize("cell", ["n/a", "1,5", "inf", "-Infinity", "1_000", "1e39", ">10"])
def test_no_numbers(cell: str) -> None:
    assert to_number(cell) is None


def test_numbers_are_regression_with_blanks_masked_and_text_listed() -> None:
    targets = read_targets(FILE, {"logS": ["1.5", "", "n/a", "2"]})
    assert (targets.kind, targets.labels) == ("regression", ("logS",))
    np.testing.assert_array_equal(targets.y, [[1.5], [np.nan], [np.nan], [2.0]])
    assert targets.bad == {2: "column logS: 'n/a' is no number (blank means missing)"}
    assert targets.missing.tolist() == [False, True, True, False]


@pytest.mark.parametrize("cells", [["0", "1", "", "1"], ["0.0", "1.0", "", "1.0"]])
def test_zero_and_one_are_two_classes(cells: list[str]) -> None:
    targets = read_targets(FILE, {"active": cells})
    assert (targets.kind, targets.labels) == ("classification", ("0", "1"))
    assert targets.y.tolist() == [0, 1, -1, 1]


def test_words_are_classes_in_alphabetical_order() -> None:
    targets = read_targets(FILE, {"kind": ["red", "blue", "", "red", "green", "blue", "green"]})
    assert targets.labels == ("blue", "green", "red")
    assert targets.y.tolist() == [2, 0, -1, 2, 1, 0, 1]
    assert "3 classes (blue, green, red)" in targets.note


def test_nan_among_words_is_missing() -> None:
    targets = read_targets(FILE, {"kind": ["red", "nan", "blue", "NaN", "nan", "red", "nan", ""]})
    assert targets.labels == ("blue", "red")
    assert targets.y.tolist() == [1, -1, 0, -1, -1, 1, -1, -1]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["0", "1", "2"] * 3, "classification"),
        (["1", "2", "3"] * 3, "classification"),
        (["1", "2", "3"], "regression"),
        (["1", "2", "4"] * 3, "regression"),
        (["1.5", "2", "3"] * 3, "regression"),
        ([str(i) for i in range(40)] * 3, "regression"),
        (["5"] * 4, "regression"),
    ],
)
def test_whole_numbers_are_classes_where_they_look_like_it(cells: list[str], kind: str) -> None:
    assert read_targets(FILE, {"n": cells}).kind == kind


def test_several_columns_of_zero_and_one_are_labels() -> None:
    targets = read_targets(FILE, {"a": ["0", "1", ""], "b": ["1", "", ""]})
    assert (targets.kind, targets.labels) == ("multilabel", ("a", "b"))
    np.testing.assert_array_equal(targets.y, [[0, 1], [1, np.nan], [np.nan, np.nan]])
    assert targets.missing.tolist() == [False, False, True]


def test_the_first_bad_cell_of_a_row_is_told() -> None:
    targets = read_targets(FILE, {"a": ["1.5", "x", "2.5"], "b": ["1.5", "y", "2.5"]})
    assert targets.bad == {1: "column a: 'x' is no number (blank means missing)"}


def test_what_is_told_wins() -> None:
    assert read_targets(FILE, {"a": ["0", "1"]}, "regression").kind == "regression"
    assert read_targets(FILE, {"a": ["0", "1"]}, "multilabel").y.shape == (2, 1)
    classes = read_targets(FILE, {"a": ["2", "4", "2", "4"]}, "classification")
    assert (classes.labels, classes.y.tolist()) == (("2", "4"), [0, 1, 0, 1])
    mixed = read_targets(FILE, {"a": ["0", "1"], "b": ["0.5", "2"]}, "regression")
    assert mixed.y.shape == (2, 2)


@pytest.mark.parametrize(
    ("columns", "kind", "message"),
    [
        ({"a": ["0", "1"], "b": ["0.5", "2"]}, None, r"different kinds: a \(binary\), b \(regr"),
        ({"a": ["x", "y"], "b": ["p", "q"]}, None, "a, b: classes are predicted for one column"),
        ({"a": ["0", "1"], "b": ["0", "1"]}, "classification", "one column at a time"),
        ({"a": ["0", "2"]}, "multilabel", "column a holds more than 0 and 1"),
        ({"a": ["x", "y", "y"]}, "regression", "column a holds text"),
        ({"a": ["", ""]}, None, "no target in any row"),
        ({"id": [f"m{i}" for i in range(9)]}, None, "9 different values in 9 rows, like 'm0'"),
        ({"a": [f"{i}.5" for i in range(9)]}, "classification", "too many for classes"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    columns: dict[str, list[str]], kind, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        read_targets(FILE, columns, kind)
