from types import SimpleNamespace

import numpy as np

from argnp.data.schema import Task
from argnp.model.columns import merged, reasons, to_columns
from argnp.model.predicted import Predicted


def _manifest(task: Task, *names: str) -> SimpleNamespace:
    return SimpleNamespace(schema=SimpleNamespace(task=task), target_names=names)


def _columns(task, values, spread=None, names=()):
    spread = None if spread is None else np.array(spread, np.float32)
    found = to_columns(_manifest(task, *names), Predicted(np.array(values, np.float32), spread))
    return {name: list(column) for name, column in found.items()}


def test_numbers_by_name_then_their_spread():
    task = Task("graph", "regression", 2, ("a", "b"))
    assert _columns(task, [[1, 2], [3, 4]], [[5, 6], [7, 8]], ("a", "b")) == {
        "a": [1, 3],
        "b": [2, 4],
        "a_spread": [5, 7],
        "b_spread": [6, 8],
    }


def test_without_names():
    assert list(_columns(Task("graph", "regression", 1), [[1]])) == ["prediction"]
    two = _columns(Task("graph", "multilabel", 2), [[1, 0]])
    assert list(two) == ["prediction_0", "prediction_1"]


def test_classes_by_likeliest_and_by_probability():
    task = Task("graph", "classification", 2, ("no", "yes"))
    values, spread = [[0.25, 0.75], [np.nan, np.nan], [1, 0]], [[1, 2], [np.nan, np.nan], [3, 4]]
    found = _columns(task, values, spread, ("toxic",))
    assert list(found) == ["toxic", "toxic_no", "toxic_yes", "toxic_spread"]
    assert found["toxic"] == ["yes", "", "no"]
    assert found["toxic_yes"][::2] == [0.75, 0]
    assert found["toxic_spread"][::2] == [2, 3]
    assert np.isnan(found["toxic_spread"][1])
    unnamed = _columns(Task("node", "classification", 3), [[0, 1, 0]])
    assert list(unnamed) == ["prediction", "prediction_0", "prediction_1", "prediction_2"]
    assert unnamed["prediction"] == ["1"]


def test_reasons_stand_in_their_row():
    predicted = Predicted(np.zeros((3, 1), np.float32), reasons={1: "no valid SMILES"})
    assert reasons(predicted) == {"reason": ["", "no valid SMILES", ""]}


def test_no_column_takes_the_place_of_another():
    """A target called as another's spread, a class called spread, a target called reason."""
    task = Task("graph", "regression", 2, ("a", "a_spread"))
    found = _columns(task, [[1, 2]], [[3, 4]], ("a", "a_spread"))
    assert list(found) == ["a", "a_spread", "a_spread_2", "a_spread_spread"]
    assert [cells[0] for cells in found.values()] == [1, 2, 3, 4]
    task = Task("graph", "classification", 2, ("spread", "spread_2"))
    found = _columns(task, [[0.25, 0.75]], [[3, 4]], ("y",))
    assert list(found) == ["y", "y_spread", "y_spread_2", "y_spread_3"]
    assert [cells[0] for cells in found.values()] == ["spread_2", 0.25, 0.75, 4]
    assert list(merged({"reason": ["1"]}, {"reason": [""]}, {"reason": [""]})) == [
        "reason",
        "reason_2",
        "reason_3",
    ]
