"""Metrics of one column at a time, and their mean."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Column: TypeAlias = Callable[[Array, Array, Array], float]


def mean_over_columns(column: Column, prediction: Array, target: Array, weight: Array) -> float:
    """Mean of ``column(prediction, target, weight)``, each (rows,), over the columns.

    Targets of weight 0 are missing and left out. A column for which the metric is not defined
    (NaN) does not count; where no column counts, the mean is NaN.
    """
    values = []
    for c in range(target.shape[1]):
        there = weight[:, c] > 0
        value = column(prediction[there, c], target[there, c], weight[there, c])
        if not np.isnan(value):
            values.append(value)
    return float(np.mean(values)) if values else float("nan")


def share(part: float, whole: float) -> float:
    """``part / whole``, NaN of nothing."""
    return float(part / whole) if whole > 0 else float("nan")
