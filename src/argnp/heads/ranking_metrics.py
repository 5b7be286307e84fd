"""Metrics of how well scores order the positives before the negatives.

Classes: of class 1 by the difference of the two logits where there are two, else the mean over
classes, each against the rest, by its probability. Labels: the mean over columns. Equal scores
are one step. A class or label for which the metric is not defined does not count; where none
counts, the result is NaN.
"""

import numpy as np

from argnp.heads.columns import Array, Column, mean_over_columns, share


def roc_auc(prediction: Array, target: Array, weight: Array) -> float:
    """Area under true over false positive rate; not defined without both kinds."""
    return _against_rest(_area, prediction, target, weight)


def average_precision(prediction: Array, target: Array, weight: Array) -> float:
    """``sum over steps of (recall gained) x precision``; not defined without positives."""
    return _against_rest(_precision, prediction, target, weight)


def _against_rest(column: Column, prediction: Array, target: Array, weight: Array) -> float:
    if target.ndim == 2:
        return mean_over_columns(column, prediction, target, weight)
    classes = prediction.shape[1]
    if classes == 2:
        return column(prediction[:, 1] - prediction[:, 0], target == 1, weight)
    exponent = np.exp(prediction - prediction.max(1, keepdims=True))
    probability = exponent / exponent.sum(1, keepdims=True)
    member = target[:, None] == np.arange(classes)
    spread = np.broadcast_to(weight[:, None], member.shape)
    return mean_over_columns(column, probability, member, spread)


def _area(score: Array, target: Array, weight: Array) -> float:
    true, false = _steps(score, target, weight)
    if not (len(true) and true[-1] > 0 and false[-1] > 0):
        return float("nan")
    height = (true + np.concatenate([[0.0], true[:-1]])) / 2
    return float((np.diff(false, prepend=0.0) * height).sum() / (true[-1] * false[-1]))


def _precision(score: Array, target: Array, weight: Array) -> float:
    true, false = _steps(score, target, weight)
    if not (len(true) and true[-1] > 0):
        return float("nan")
    gained = np.diff(true, prepend=0.0)
    return share((gained * true / (true + false)).sum(), true[-1])


def _steps(score: Array, target: Array, weight: Array) -> tuple[Array, Array]:
    """Weight of positives and of negatives that score at least each score that occurs."""
    order = np.argsort(-score, kind="stable")
    score, positive, weight = score[order], target[order] > 0, weight[order]
    last = np.flatnonzero(np.append(np.diff(score) != 0, True)) if len(score) else order
    return np.cumsum(weight * positive)[last], np.cumsum(weight * ~positive)[last]
