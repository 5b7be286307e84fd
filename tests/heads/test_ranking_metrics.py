"""ROC-AUC and average precision against scikit-learn: ties, weights, lonely classes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.heads.metrics import METRICS

sklearn = pytest.importorskip("sklearn.metrics")
AUC, AP = METRICS["roc_auc"], METRICS["average_precision"]


def two(score: np.ndarray) -> np.ndarray:
    return np.stack([np.zeros_like(score), score], 1)


@settings(deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), rows=st.integers(2, 50), levels=st.integers(1, 20))
def test_two_classes(seed: int, rows: int, levels: int) -> None:
    rng = np.random.default_rng(seed)
    score = rng.integers(0, levels, rows).astype(float)
    target = rng.integers(0, 2, rows)
    target[:2] = [0, 1]
    weight = rng.integers(1, 4, rows).astype(float)
    for metric, reference in (
        (AUC, sklearn.roc_auc_score),
        (AP, sklearn.average_precision_score),
    ):
        for w in (None, weight):
            expected = reference(target, score, sample_weight=w)
            assert metric.compute(two(score), target, w) == pytest.approx(expected)


def test_more_classes_each_against_the_rest() -> None:
    rng = np.random.default_rng(0)
    logits, target = rng.normal(size=(60, 4)), rng.integers(0, 4, 60)
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    expected = sklearn.roc_auc_score(target, p, multi_class="ovr", average="macro")
    assert AUC.compute(logits, target) == pytest.approx(expected)
    expected = sklearn.average_precision_score(np.eye(4)[target], p, average="macro")
    assert AP.compute(logits, target) == pytest.approx(expected)


def test_a_class_that_does_not_occur_does_not_count() -> None:
    rng = np.random.default_rng(1)
    logits, target = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    expected = np.mean([sklearn.roc_auc_score(target == c, p[:, c]) for c in (0, 1)])
    assert AUC.compute(logits, target) == pytest.approx(expected)


def test_labels_with_missing_ones_and_a_constant_column() -> None:
    rng = np.random.default_rng(2)
    logits, target = rng.normal(size=(50, 3)), rng.integers(0, 2, (50, 3)).astype(float)
    target[:, 2] = 0
    weight = (rng.random((50, 3)) < 0.8).astype(float)
    for metric, reference in (
        (AUC, sklearn.roc_auc_score),
        (AP, sklearn.average_precision_score),
    ):
        expected = [
            reference(target[there, c], logits[there, c])
            for c in (0, 1)
            for there in [weight[:, c] > 0]
        ]
        masked = np.where(weight > 0, target, np.nan)
        assert metric.compute(logits, masked, weight) == pytest.approx(np.mean(expected))


def test_one_kind_alone() -> None:
    score = two(np.array([1.0, 2.0, 3.0]))
    assert math.isnan(AUC.compute(score, np.zeros(3, np.int64)))
    assert math.isnan(AUC.compute(score, np.ones(3, np.int64)))
    assert math.isnan(AP.compute(score, np.zeros(3, np.int64)))
    assert AP.compute(score, np.ones(3, np.int64)) == 1
    assert math.isnan(AUC.compute(np.zeros((0, 2)), np.zeros(0, np.int64)))
    assert math.isnan(AP.compute(np.zeros((0, 2)), np.zeros(0, np.int64)))


def test_all_scores_equal() -> None:
    score, target = two(np.ones(4)), np.array([0, 1, 0, 0])
    assert AUC.compute(score, target) == 0.5
    assert AP.compute(score, target) == 0.25


def test_large_logits_do_not_overflow() -> None:
    logits = np.array([[1e30, 0, 0], [0, 1e30, 0], [0, 0, 1e30]], np.float32)
    assert AUC.compute(logits, np.array([0, 1, 2])) == 1
