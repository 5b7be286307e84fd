"""``report/predictions.json``: the test set's targets against what was predicted."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from argnp.data.schema import Task
from argnp.heads.collector import Collector

MOST_ROWS: Final = 5000
_MOST_NUMBERS: Final = 40_000
_MOST_COLUMNS: Final = 12
_MOST_CLASSES: Final = 40
_OTHER: Final = "other"


def predictions(collector: Collector, names: Sequence[str]) -> dict[str, Any]:
    """As `argnp.report.extras` describes it; ``names`` are of columns, labels or classes."""
    task = collector.task
    prediction, target, weight = collector.gathered()
    if task.kind == "regression":
        return _columns(names, prediction, target, weight)
    if task.kind == "multilabel":
        return _labels(names, prediction, target, weight)
    return _classes(task, names, prediction, target, weight)


def drawn(rows: int, most: int) -> NDArray[np.int64]:
    """Numbers of ``most`` of the rows, ascending, always the same; all of fewer."""
    if rows <= most:
        return np.arange(rows)
    chosen = np.random.default_rng(0).choice(rows, most, replace=False)
    return np.sort(chosen).astype(np.int64)


def _columns(
    names: Sequence[str],
    prediction: NDArray[Any],
    target: NDArray[Any],
    weight: NDArray[Any],
) -> dict[str, Any]:
    columns = min(target.shape[1], _MOST_COLUMNS)
    kept = drawn(len(target), min(MOST_ROWS, _MOST_NUMBERS // max(columns, 1)))
    return {
        "kind": "regression",
        "columns": [
            {
                "name": names[column],
                "truth": _rounded(target[kept, column], weight[kept, column] > 0),
                "prediction": _rounded(prediction[kept, column]),
            }
            for column in range(columns)
        ],
        "of": len(target),
    }


def _classes(
    task: Task,
    names: Sequence[str],
    prediction: NDArray[Any],
    target: NDArray[Any],
    weight: NDArray[Any],
) -> dict[str, Any]:
    """Rows count as often as their weight: a pair of edges held once counts twice."""
    number = np.arange(task.outputs)
    labels = list(names)
    if task.outputs > _MOST_CLASSES:
        often = np.bincount(target.astype(np.int64), minlength=task.outputs)
        common = np.sort(np.argsort(-often, kind="stable")[: _MOST_CLASSES - 1])
        number = np.full(task.outputs, len(common))
        number[common] = np.arange(len(common))
        labels = [*(names[c] for c in common), _OTHER]
    confusion = np.zeros((len(labels), len(labels)))
    if len(target):
        told = prediction.argmax(axis=1)
        np.add.at(confusion, (number[target.astype(np.int64)], number[told]), weight)
    return {
        "kind": "classification",
        "labels": labels,
        "confusion": confusion.round().astype(int).tolist(),
    }


def _labels(
    names: Sequence[str],
    prediction: NDArray[Any],
    target: NDArray[Any],
    weight: NDArray[Any],
) -> dict[str, Any]:
    confusions = np.zeros((len(names), 2, 2))
    for label in range(len(names)):
        truth, told = target[:, label] > 0.5, prediction[:, label] > 0
        np.add.at(confusions[label], (truth.astype(int), told.astype(int)), weight[:, label])
    return {
        "kind": "multilabel",
        "labels": list(names),
        "confusions": confusions.round().astype(int).tolist(),
    }


def _rounded(values: NDArray[Any], known: NDArray[np.bool_] | None = None) -> list[float | None]:
    """Five digits; None for what is not known or not finite."""
    there = np.isfinite(values) if known is None else known & np.isfinite(values)
    return [
        float(f"{value:.5g}") if is_known else None
        for value, is_known in zip(values.tolist(), there.tolist(), strict=True)
    ]
