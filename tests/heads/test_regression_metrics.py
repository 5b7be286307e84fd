"""Regression metrics against scikit-learn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.heads.metrics import METRICS

sklearn = pytest.importorskip("sklearn.metrics")
REFERENCE = {
    "mae": sklearn.mean_absolute_error,
    "rmse": sklearn.root_mean_squared_error,
    "r2": sklearn.r2_score,
}


@pytest.mark.parametrize("name", REFERENCE)
@settings(deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), rows=st.integers(2, 30), columns=st.integers(1, 3))
def test_several_columns_with_weights(name: str, seed: int, rows: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    p, y = rng.normal(size=(2, rows, columns))
    w = rng.integers(1, 4, rows).astype(float)
    metric = METRICS[name]
    assert metric.compute(p, y) == pytest.approx(REFERENCE[name](y, p))
    expected = REFERENCE[name](y, p, sample_weight=w)
    assert metric.compute(p, y, w) == pytest.approx(expected)
    assert metric.compute(p, y, w[:, None].repeat(columns, 1)) == pytest.approx(expected)


@pytest.mark.parametrize("name", REFERENCE)
def test_missing_targets_and_a_column_without_any(name: str) -> None:
    rng = np.random.default_rng(0)
    p, y = rng.normal(size=(2, 20, 3))
    w = (rng.random((20, 3)) < 0.7).astype(float)
    w[:, 2] = 0
    expected = [REFERENCE[name](y[w[:, c] > 0, c], p[w[:, c] > 0, c]) for c in (0, 1)]
    value = METRICS[name].compute(p, np.where(w > 0, y, np.nan), w)
    assert value == pytest.approx(np.mean(expected))


def test_r2_of_a_constant_target_is_as_in_scikit_learn() -> None:
    y = np.full((3, 1), 0.5)
    for p in (y, np.array([[0.5], [0.5], [1.5]])):
        assert METRICS["r2"].compute(p, y) == sklearn.r2_score(y, p)


def test_r2_of_a_single_row_is_not_defined() -> None:
    assert math.isnan(METRICS["r2"].compute(np.ones((1, 1)), np.ones((1, 1))))


@pytest.mark.parametrize("name", REFERENCE)
def test_nothing_to_judge_by_is_nan(name: str) -> None:
    assert math.isnan(METRICS[name].compute(np.zeros((0, 1)), np.zeros((0, 1))))
