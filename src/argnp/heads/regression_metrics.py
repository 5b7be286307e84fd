"""Metrics of predicted numbers, in the units of the target.

Each takes ``prediction``, ``target`` and ``weight``, all (rows, columns), and gives the mean
over columns; missing targets have weight 0. Nothing to judge by gives NaN.
"""

import numpy as np

from argnp.heads.columns import Array, mean_over_columns, share


def mae(prediction: Array, target: Array, weight: Array) -> float:
    """``mean |p - y|``."""
    return mean_over_columns(
        lambda p, y, w: share((w * np.abs(p - y)).sum(), w.sum()), prediction, target, weight
    )


def rmse(prediction: Array, target: Array, weight: Array) -> float:
    """``sqrt(mean (p - y)^2)``, the root taken per column."""
    return mean_over_columns(
        lambda p, y, w: share((w * (p - y) ** 2).sum(), w.sum()) ** 0.5, prediction, target, weight
    )


def r2(prediction: Array, target: Array, weight: Array) -> float:
    """``1 - sum (p - y)^2 / sum (y - mean y)^2``.

    A column whose targets are all equal gives 1 if it is predicted exactly, else 0; one with
    fewer than two targets is not defined.
    """
    return mean_over_columns(_r2_of_column, prediction, target, weight)


def _r2_of_column(prediction: Array, target: Array, weight: Array) -> float:
    if len(target) < 2:
        return float("nan")
    left = (weight * (prediction - target) ** 2).sum()
    spread = (weight * (target - np.average(target, weights=weight)) ** 2).sum()
    if (target == target[0]).all() or spread == 0:
        return 1.0 if left == 0 else 0.0
    return float(1 - left / spread)
