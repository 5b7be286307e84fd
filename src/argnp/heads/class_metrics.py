"""Metrics of predicted classes and labels: accuracy, class-averaged accuracy, F1.

Each takes ``prediction`` (rows, outputs) logits, ``target`` and ``weight``; ``target`` is (rows,)
classes, or (rows, columns) of 0 and 1, and then the result is the mean over columns. Nothing to
judge by gives NaN.
"""

import numpy as np

from argnp.heads.columns import Array, mean_over_columns, share


def accuracy(prediction: Array, target: Array, weight: Array) -> float:
    """Share of right answers; a label is predicted where its logit is above 0."""
    if target.ndim == 2:
        return mean_over_columns(
            lambda p, y, w: share(w[(p > 0) == (y > 0)].sum(), w.sum()), prediction, target, weight
        )
    right = prediction.argmax(1) == target
    return share(weight[right].sum(), weight.sum())


def balanced_accuracy(prediction: Array, target: Array, weight: Array) -> float:
    """Mean over the classes that occur of the share of each that is found."""
    found, _, actual = _counts(prediction, target, weight)
    occurs = actual > 0
    return float(np.mean(found[occurs] / actual[occurs])) if occurs.any() else float("nan")


def f1(prediction: Array, target: Array, weight: Array) -> float:
    """``2 TP / (2 TP + FP + FN)``.

    Two classes: of class 1. More classes: mean over those that occur or are predicted (macro).
    Labels: mean over columns. 0 where a class neither occurs nor is predicted.
    """
    if target.ndim == 2:
        return mean_over_columns(_f1_of_label, prediction, target, weight)
    if not weight.sum():
        return float("nan")
    found, predicted, actual = _counts(prediction, target, weight)
    total = predicted + actual
    score = np.divide(2 * found, total, out=np.zeros_like(total), where=total > 0)
    return float(score[1] if len(score) == 2 else score[total > 0].mean())


def _f1_of_label(logit: Array, target: Array, weight: Array) -> float:
    if not weight.sum():
        return float("nan")
    predicted, actual = logit > 0, target > 0
    both = weight[predicted & actual].sum()
    total = weight[predicted].sum() + weight[actual].sum()
    return float(2 * both / total) if total else 0.0


def _counts(prediction: Array, target: Array, weight: Array) -> tuple[Array, Array, Array]:
    """Weight per class of what is rightly predicted, of what is predicted, of what is so."""
    classes = prediction.shape[1]
    chosen, actual = prediction.argmax(1), target.astype(np.int64)
    right = chosen == actual
    return (
        np.bincount(actual[right], weight[right], classes),
        np.bincount(chosen, weight, classes),
        np.bincount(actual, weight, classes),
    )
