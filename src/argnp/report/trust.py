"""How far a result can be trusted: spreads and intervals, as far as the numbers at hand go."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final

_Z: Final = 1.959964  # of the 95% interval
_RESAMPLES: Final = 1000
_MOST: Final = 200_000  # values drawn in all, so that a report is written at once


@dataclass(frozen=True)
class Interval:
    low: float
    high: float
    how: str


def wilson(share: float, count: int) -> Interval:
    """Of a proportion: (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)."""
    z2 = _Z**2 / count
    middle = (share + z2 / 2) / (1 + z2)
    half = _Z * sqrt(share * (1 - share) / count + z2 / (4 * count)) / (1 + z2)
    how = f"Wilson's 95% interval for a share of {count} test examples"
    return Interval(middle - half, middle + half, how)


@dataclass(frozen=True)
class Resampled:
    """A metric of the test set as it is, and the interval over resampled ones."""

    value: float
    interval: Interval


def bootstrap(name: str, pairs: Sequence[tuple[float, float]]) -> Resampled | None:
    """Percentiles of the metric over resampled (truth, prediction) pairs.

    None for metrics it does not know.
    """
    function, n = _ERRORS.get(name), len(pairs)
    if function is None or n < 2:
        return None
    rng = random.Random(0)
    rounds = max(100, min(_RESAMPLES, _MOST // n))
    values = sorted(function(rng.choices(pairs, k=n)) for _ in range(rounds))
    low, high = values[int(0.025 * rounds)], values[min(rounds - 1, int(0.975 * rounds))]
    how = f"95% bootstrap interval over the {n} test examples"
    return Resampled(function(pairs), Interval(low, high, how))


def spread(values: dict[tuple[int, int], float]) -> dict[str, Any]:
    """Mean and standard deviations of results by (search, seed).

    ``all``: over all of them; ``architectures``: of the searches' means; ``seeds``: within a
    search, pooled. None where there are too few to say.
    """
    groups: dict[int, list[float]] = {}
    for (search, _), value in values.items():
        groups.setdefault(search, []).append(value)
    means = [fmean(group) for group in groups.values()]
    squares = [(v - fmean(group)) ** 2 for group in groups.values() for v in group]
    freedom = len(values) - len(groups)
    return {
        "mean": fmean(values.values()),
        "all": stdev(values.values()) if len(values) > 1 else None,
        "architectures": stdev(means) if len(means) > 1 else None,
        "seeds": sqrt(sum(squares) / freedom) if freedom > 0 else None,
        "trainings": len(values),
        "searches": len(groups),
    }


_Pairs = Sequence[tuple[float, float]]


def mae(pairs: _Pairs) -> float:
    return fmean(abs(p - t) for t, p in pairs)


def rmse(pairs: _Pairs) -> float:
    return sqrt(fmean((p - t) ** 2 for t, p in pairs))


def r2(pairs: _Pairs) -> float:
    """1 - squared error over the truth's variance; 0 where the truth does not vary."""
    middle = fmean(t for t, _ in pairs)
    total = sum((t - middle) ** 2 for t, _ in pairs)
    return 1 - sum((p - t) ** 2 for t, p in pairs) / total if total else 0.0


_ERRORS: Final[dict[str, Callable[[_Pairs], float]]] = {"mae": mae, "rmse": rmse, "r2": r2}
