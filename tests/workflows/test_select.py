import math
from typing import Any

import pytest

from argnp.workflows.select import rule, select
from argnp.workflows.summary import between, spread
from argnp.workflows.units import Candidate


class Sized:
    def __init__(self, size: int) -> None:
        self.size = size


def candidate(
    size: int, value: float, *, seed: int = 0, search: int = 0, metric: str = "mae"
) -> Any:
    return Candidate(
        architecture=Sized(size),  # type: ignore[arg-type]
        network=None,  # type: ignore[arg-type]
        search=search,
        seed=seed,
        metrics={metric: value},
        parameters=1000 * size,
        seconds=1.0,
    )


def chosen(candidates: list[Any], metric: str = "mae") -> list[tuple[int, int, int]]:
    return [(c.search, c.size, c.seed) for c in select(candidates, metric)]


def test_the_best_size_wins() -> None:
    assert chosen([candidate(2, 0.5), candidate(4, 0.3), candidate(8, 0.4)]) == [(0, 4, 0)]
    up = [candidate(n, v, metric="accuracy") for n, v in ((2, 0.5), (4, 0.8), (8, 0.7))]
    assert chosen(up, "accuracy") == [(0, 4, 0)]


def test_a_smaller_network_is_taken_if_it_loses_at_most_a_hundredth() -> None:
    assert chosen([candidate(2, 0.3029), candidate(8, 0.3)]) == [(0, 2, 0)]
    assert chosen([candidate(2, 0.304), candidate(8, 0.3)]) == [(0, 8, 0)]
    up = [candidate(n, v, metric="r2") for n, v in ((2, -0.5049), (8, -0.5))]
    assert chosen(up, "r2") == [(0, 2, 0)]


def test_seeds_are_averaged_and_the_best_comes_first() -> None:
    candidates = [
        candidate(2, 0.1, seed=0),
        candidate(2, 0.9, seed=1),
        candidate(4, 0.42, seed=0),
        candidate(4, 0.38, seed=1),
        candidate(4, 0.40, seed=2),
    ]
    # One lucky seed is no reason to take an architecture.
    found = chosen(candidates)
    assert found[0] == (0, 4, 1)
    assert sorted(found) == [(0, 4, 0), (0, 4, 1), (0, 4, 2)]


def test_searches_are_told_apart() -> None:
    candidates = [candidate(4, 0.5, search=0), candidate(4, 0.3, search=1)]
    assert chosen(candidates) == [(1, 4, 0)]


def test_what_cannot_be_judged_loses() -> None:
    assert chosen([candidate(2, math.nan), candidate(4, 0.5)]) == [(0, 4, 0)]
    assert chosen([candidate(2, math.nan), candidate(4, math.nan)]) == [(0, 2, 0)]


def test_the_rule_is_said() -> None:
    assert rule("mae") == (
        "the smallest network whose validation mae, averaged over training seeds, "
        "is within 1% of the best one's"
    )


def test_spreads() -> None:
    assert spread([0.12345]) == "0.1235"
    assert spread([1.0, 2.0, 3.0]) == "2 ± 1"
    values = [(0, 1.0), (0, 2.0), (1, 4.0), (1, 6.0)]  # with the numbers of their searches
    # Means 1.5 and 5, of variance 6.125; variances within 0.5 and 2, half their mean in each mean.
    of_architectures, of_seeds = between(values)
    assert float(of_architectures.removeprefix("± ")) == pytest.approx(
        (6.125 - 0.625) ** 0.5, rel=0.05
    )
    assert float(of_seeds.removeprefix("± ")) == pytest.approx(1.25**0.5, rel=0.05)
    assert between(values[:2])[0] == ""
    assert between(values[::2])[1] == ""
    # Where seeds explain all of it, nothing is left to the architectures.
    assert between([(0, 1.0), (0, 5.0), (1, 2.0), (1, 6.0)])[0] == "± 0"
