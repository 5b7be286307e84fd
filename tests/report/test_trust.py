from math import isclose, sqrt

import pytest

from argnp.report.trust import bootstrap, mae, r2, rmse, spread, wilson


def test_wilson_on_a_case_worked_by_hand() -> None:
    # 8 of 10: centre (0.8 + 0.19207) / 1.38415, half width 0.22642.
    found = wilson(0.8, 10)
    assert found.low == pytest.approx(0.4902, abs=2e-4)
    assert found.high == pytest.approx(0.9433, abs=2e-4)


def test_wilson_stays_between_0_and_1() -> None:
    assert wilson(1.0, 5).high == pytest.approx(1.0)
    assert wilson(0.0, 5).low == pytest.approx(0.0)
    assert wilson(1.0, 5).low < 0.7


def test_errors_on_three_points() -> None:
    pairs = [(1.0, 2.0), (2.0, 2.0), (3.0, 1.0)]
    assert mae(pairs) == pytest.approx(1.0)
    assert rmse(pairs) == pytest.approx(sqrt(5 / 3))
    assert r2(pairs) == pytest.approx(1 - 5 / 2)
    assert r2([(1.0, 2.0), (1.0, 1.0)]) == 0.0


def test_bootstrap_covers_and_narrows() -> None:
    def pairs(n: int) -> list[tuple[float, float]]:
        return [(float(k), k + (1.0 if k % 3 else -0.4)) for k in range(n)]

    few, many = bootstrap("mae", pairs(30)), bootstrap("mae", pairs(600))
    assert few is not None
    assert many is not None
    assert few.value == pytest.approx(mae(pairs(30)))
    assert few.interval.low < few.value < few.interval.high
    assert many.interval.high - many.interval.low < few.interval.high - few.interval.low
    assert bootstrap("mae", pairs(30)) == few


def test_bootstrap_knows_its_limits() -> None:
    assert bootstrap("roc_auc", [(0.0, 1.0), (1.0, 1.0)]) is None
    assert bootstrap("mae", [(0.0, 1.0)]) is None


def test_spread_tells_architectures_from_seeds() -> None:
    told = spread({(0, 0): 1.0, (0, 1): 3.0, (1, 0): 5.0, (1, 1): 7.0})
    assert told["mean"] == 4.0
    assert isclose(told["architectures"], sqrt(8))
    assert isclose(told["seeds"], sqrt(2))
    assert isclose(told["all"], sqrt(20 / 3))


def test_a_single_result_has_no_spread() -> None:
    told = spread({(0, 0): 1.0})
    assert (told["all"], told["architectures"], told["seeds"]) == (None, None, None)
