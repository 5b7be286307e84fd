"""Whatever data is fitted, a result with finite numbers comes out, or one clear line."""

import math

import pytest
from hypothesis import given, settings
from tests.data.fuzz_cases import CASES, ingested, raw_of

import argnp
from argnp.errors import UserError

SHORT = {"size": 2, "search_epochs": 1, "epochs": 1, "width": 4, "quiet": True}


def result_or_line(dataset):
    try:
        return argnp.fit(dataset, **SHORT)
    except UserError as complaint:
        return str(complaint)


def fitted(random_raw, case):
    """True if a result came out, False if a clear line did."""
    dataset = ingested(raw_of(random_raw, case), case)
    result = dataset if isinstance(dataset, str) else result_or_line(dataset)
    if isinstance(result, str):
        assert len(result) > 10
        assert "\n" not in result
        return False
    assert result.metrics
    # R2, ROC-AUC and the like are not defined on every handful of rows.
    judged = result.validation[dataset.metric]
    assert math.isfinite(judged) or dataset.metric not in {"mae", "rmse", "accuracy"}
    weights = [w for w in result.model.state_dict().values() if w.is_floating_point()]
    assert all(w.isfinite().all() for w in weights)
    return True


@settings(max_examples=25, deadline=None, derandomize=True, database=None)
@given(case=CASES)
def test_a_result_or_a_clear_line(random_raw, case):
    fitted(random_raw, case)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(case=CASES)
def test_four_hundred_fits(random_raw, case):
    fitted(random_raw, case)


@pytest.mark.parametrize("level", ["graph", "node", "edge", "pair"])
def test_harmless_cases_are_fitted(random_raw, level):
    """The fuzz would be idle if all it met were refusals."""
    case = {"symmetric": True, "harm": "no", "relations": "auto", "encoding": "lap"}
    case |= {"split": "random", "by_row": False, "features": "both", "floats": False}
    case |= {"level": level, "graphs": 20, "seed": 3}
    for y in ("numbers", "two"):
        assert fitted(random_raw, case | {"y": y})
