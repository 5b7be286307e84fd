"""The table of metrics, and what counts as better."""

import math

import numpy as np
import pytest

from argnp.data.schema import Kind, Task
from argnp.errors import UserError
from argnp.heads.metrics import METRICS, better, metric_for, metrics_for


def test_directions_and_units() -> None:
    lower = {name for name, metric in METRICS.items() if not metric.higher_is_better}
    units = {name for name, metric in METRICS.items() if metric.in_units}
    assert lower == units == {"mae", "rmse"}


@pytest.mark.parametrize(
    ("kind", "usual", "others"),
    [
        ("regression", "mae", {"rmse", "r2"}),
        ("classification", "accuracy", {"balanced_accuracy", "f1", "roc_auc", "average_precision"}),
        ("multilabel", "roc_auc", {"accuracy", "f1", "average_precision"}),
    ],
)
def test_what_fits_a_task(kind: Kind, usual: str, others: set[str]) -> None:
    task = Task("graph", kind, 2)
    names = [metric.name for metric in metrics_for(task)]
    assert names[0] == usual == metric_for(task).name
    assert set(names[1:]) == others
    assert metric_for(task, names[-1]).name == names[-1]


@pytest.mark.parametrize("name", ["mae", "", "accuracies"])
def test_a_metric_that_does_not_fit_lists_those_that_do(name: str) -> None:
    with pytest.raises(UserError, match="does not fit node-classification; choose of accuracy, "):
        metric_for(Task("node", "classification", 2), name)


def test_better() -> None:
    for metric, sign in ((METRICS["accuracy"], 1), (METRICS["mae"], -1)):
        assert better(metric, sign * 2.0, sign * 1.0)
        assert not better(metric, sign * 1.0, sign * 2.0)
        assert not better(metric, 1.0, 1.0)
        assert better(metric, 1.0, math.nan)
        assert not better(metric, math.nan, 1.0)
        assert not better(metric, math.nan, math.nan)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_prediction_that_is_not_finite_spoils_the_metric(bad: float) -> None:
    for name, metric in METRICS.items():
        classes = "classification" in metric.kinds
        p = np.array([[0.0, 1.0], [bad, 0.0], [2.0, 3.0]])
        y = np.array([0, 1, 0]) if classes else np.ones((3, 2))
        assert math.isnan(metric.compute(p, y)), name
        there = np.array([1.0, 0.0, 1.0])
        y = np.array([1, 0, 0]) if classes else np.array([[1.0, 1], [1, 1], [2, 2]])
        assert not math.isnan(metric.compute(p, y, there)), name
