"""The metrics by name: which tasks they fit, and which way is better."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from argnp.data.schema import Kind, Task
from argnp.errors import UserError
from argnp.heads.class_metrics import accuracy, balanced_accuracy, f1
from argnp.heads.columns import Array
from argnp.heads.ranking_metrics import average_precision, roc_auc
from argnp.heads.regression_metrics import mae, r2, rmse

Function: TypeAlias = Callable[[Array, Array, Array], float]


@dataclass(frozen=True)
class Metric:
    """A number over a whole set of predictions, never a mean over batches.

    ``in_units``: it is measured in the units of the target. ``kinds``: tasks that it fits.
    """

    name: str
    function: Function
    higher_is_better: bool
    in_units: bool
    kinds: frozenset[Kind]

    def compute(self, prediction: Array, target: Array, weight: Array | None = None) -> float:
        """From ``prediction`` (rows, outputs), logits or numbers in the user's units.

        ``target`` and ``weight``: (rows,) classes, or (rows, columns) labels or numbers; weights
        may be given per row all the same. Targets of weight 0 are missing and may be anything.
        NaN where nothing can be said, and where a prediction is not finite.
        """
        if weight is None:
            weight = np.ones(target.shape)
        if target.ndim == 1:
            there = weight > 0
            prediction, target, weight = prediction[there], target[there], weight[there]
        elif weight.ndim == 1:
            weight = np.broadcast_to(weight[:, None], target.shape)
        judged = prediction if target.ndim == 1 else prediction[weight > 0]
        if not np.isfinite(judged).all():
            return math.nan
        return self.function(prediction.astype(np.float64), target, weight.astype(np.float64))


def better(metric: Metric, a: float, b: float) -> bool:
    """Whether ``a`` is better than ``b``; anything is better than NaN, and NaN than nothing."""
    if math.isnan(a) or math.isnan(b):
        return math.isnan(b) and not math.isnan(a)
    return a > b if metric.higher_is_better else a < b


def metrics_for(task: Task) -> tuple[Metric, ...]:
    """Every metric that fits the task, the usual one first."""
    fitting = (metric for metric in METRICS.values() if task.kind in metric.kinds)
    return tuple(sorted(fitting, key=lambda metric: metric.name != _USUAL[task.kind]))


def metric_for(task: Task, name: str | None = None) -> Metric:
    """The metric of this name, or the usual one: mae, accuracy, roc_auc."""
    fitting = {metric.name: metric for metric in metrics_for(task)}
    chosen = _USUAL[task.kind] if name is None else name
    if chosen not in fitting:
        raise UserError(f"metric {name}: does not fit {task.name}; choose of {', '.join(fitting)}")
    return fitting[chosen]


def _metric(function: Function, kinds: str, *, higher: bool = True, units: bool = False) -> Metric:
    known: tuple[Kind, ...] = ("classification", "regression", "multilabel")
    fits = frozenset(kind for kind in known if kind in kinds.split())
    return Metric(function.__name__, function, higher, units, fits)


_USUAL: Final[dict[Kind, str]] = {
    "regression": "mae",
    "classification": "accuracy",
    "multilabel": "roc_auc",
}

METRICS: Final[dict[str, Metric]] = {
    metric.name: metric
    for metric in (
        _metric(accuracy, "classification multilabel"),
        _metric(balanced_accuracy, "classification"),
        _metric(f1, "classification multilabel"),
        _metric(roc_auc, "classification multilabel"),
        _metric(average_precision, "classification multilabel"),
        _metric(mae, "regression", higher=False, units=True),
        _metric(rmse, "regression", higher=False, units=True),
        _metric(r2, "regression"),
    )
}
