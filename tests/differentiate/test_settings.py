import pytest

from argnp.arch import Space, sample, undecided
from argnp.arch.divide import divide
from argnp.differentiate.settings import SearchSettings, decision_epochs, decisions, round_epochs
from argnp.train.seeds import python_random


def supernet(size: int, space: Space | None = None) -> object:
    return divide(sample(size // 2, python_random(0), space or Space()))


def test_the_papers_rounds() -> None:
    settings = SearchSettings()
    first = undecided(2, Space())
    assert [round_epochs(s, settings) for s in (first, *map(supernet, (4, 8, 16)))] == [
        25,
        25,
        45,
        85,
    ]  # type: ignore[arg-type]


@pytest.mark.parametrize("relations", [True, False])
def test_decisions_are_what_the_vertices_lack(relations: bool) -> None:
    space = Space(relations=relations)
    assert decisions(undecided(1, space)) == 2
    assert decisions(undecided(5, space)) == 10
    assert decisions(divide(sample(5, python_random(0), space), 3)) == 6


def test_decisions_fall_after_ten_epochs_and_every_five() -> None:
    settings = SearchSettings()
    assert decision_epochs(4, 25, settings) == [10, 15, 20, 25]
    assert decision_epochs(8, 45, settings) == [10, 15, 20, 25, 30, 35, 40, 45]
    assert decision_epochs(16, 85, settings) == list(range(10, 86, 5))


@pytest.mark.parametrize("count", [1, 2, 4, 6, 16])
@pytest.mark.parametrize("epochs", [1, 2, 3, 7, 25, 44, 85, 200])
def test_scaled_schedules_keep_order_and_end_with_the_round(count: int, epochs: int) -> None:
    found = decision_epochs(count, epochs, SearchSettings())
    assert len(found) == count
    assert found == sorted(found)
    assert found[0] >= 1
    assert found[-1] == epochs


def test_settings_of_ones_own() -> None:
    settings = SearchSettings(warmup=2, interval=3)
    assert round_epochs(undecided(2, Space()), settings) == 11
    assert decision_epochs(4, 11, settings) == [2, 5, 8, 11]
