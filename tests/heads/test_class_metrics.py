"""Class metrics against scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.heads.metrics import METRICS

sklearn = pytest.importorskip("sklearn.metrics")


@settings(deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), classes=st.integers(2, 5), rows=st.integers(2, 40))
def test_classes(seed: int, classes: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    logits = rng.integers(-2, 3, (rows, classes)).astype(np.float32)  # ties included
    target = rng.integers(0, rng.integers(1, classes + 1), rows)  # classes may be absent
    weight = rng.integers(1, 3, rows).astype(np.float32)
    chosen = logits.argmax(1)
    known = {"sample_weight": weight}
    assert METRICS["accuracy"].compute(logits, target, weight) == pytest.approx(
        sklearn.accuracy_score(target, chosen, **known)
    )
    occurs = np.unique(target)
    expected = sklearn.recall_score(
        target, chosen, labels=occurs, average="macro", zero_division=0, **known
    )
    assert METRICS["balanced_accuracy"].compute(logits, target, weight) == pytest.approx(expected)
    average = {"average": "binary"} if classes == 2 else {"average": "macro"}
    expected = sklearn.f1_score(target, chosen, zero_division=0, **average, **known)
    assert METRICS["f1"].compute(logits, target, weight) == pytest.approx(expected)


def test_balanced_accuracy_is_scikit_learns_own() -> None:
    logits, target = np.eye(3)[[0, 1, 2, 2, 1, 0]], np.array([0, 1, 1, 2, 2, 0])
    expected = sklearn.balanced_accuracy_score(target, logits.argmax(1))
    assert METRICS["balanced_accuracy"].compute(logits, target) == pytest.approx(expected)


@settings(deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 30))
def test_labels_with_missing_ones(seed: int, rows: int) -> None:
    rng = np.random.default_rng(seed)
    logits, there = rng.normal(size=(rows, 3)), rng.random((rows, 3)) < 0.7
    target = np.where(there, rng.integers(0, 2, (rows, 3)), np.nan)
    columns = [(target[there[:, c], c], logits[there[:, c], c] > 0) for c in range(3)]
    for name, score in (
        ("accuracy", sklearn.accuracy_score),
        ("f1", lambda y, p: sklearn.f1_score(y, p, zero_division=0)),
    ):
        expected = [score(y, p) for y, p in columns if len(y)]
        value = METRICS[name].compute(logits, target, there.astype(float))
        assert value == pytest.approx(np.mean(expected) if expected else math.nan, nan_ok=True)


def test_binary_f1_is_of_class_one() -> None:
    logits = np.array([[0.0, 1], [0, 1], [1, 0], [1, 0]])
    assert METRICS["f1"].compute(logits, np.array([1, 0, 0, 0])) == pytest.approx(2 / 3)


def test_binary_f1_of_no_positives_at_all_is_zero() -> None:
    assert METRICS["f1"].compute(np.array([[1.0, 0], [1, 0]]), np.array([0, 0])) == 0


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "f1"])
def test_nothing_to_judge_by_is_nan(name: str) -> None:
    metric = METRICS[name]
    assert math.isnan(metric.compute(np.zeros((0, 3)), np.zeros(0, np.int64)))
    assert math.isnan(metric.compute(np.zeros((2, 3)), np.array([0, 1]), np.zeros(2)))
