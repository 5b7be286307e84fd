import pytest

from argnp.arch import Space, sample
from argnp.differentiate.settings import SearchSettings
from argnp.errors import UserError
from argnp.proliferate.rounds import RoundPlan, next_supernet, plan_rounds
from argnp.train.seeds import python_random


def planned(size: int, space: Space | None = None, **settings: object) -> list[tuple[int, int]]:
    proliferate = bool(settings.pop("proliferate", True))
    rounds = plan_rounds(
        size,
        space or Space(),
        SearchSettings(**settings),
        proliferate=proliferate,  # type: ignore[arg-type]
    )
    return [(r.vertices, r.epochs) for r in rounds]


def test_the_papers_schedule() -> None:
    assert planned(16) == [(2, 25), (4, 25), (8, 45), (16, 85)]


def test_other_sizes_and_starts() -> None:
    assert planned(1) == [(1, 15)]
    assert planned(3) == [(2, 25), (3, 15)]
    assert planned(5) == [(2, 25), (4, 25), (5, 15)]
    assert planned(8, Space(start_size=4)) == [(4, 45), (8, 45)]
    assert planned(4, Space(start_size=1)) == [(1, 15), (2, 15), (4, 25)]


def test_without_proliferation_all_is_decided_at_once() -> None:
    assert planned(4, proliferate=False) == [(4, 45)]


def test_cells_share_the_vertices() -> None:
    assert planned(16, Space(cells=4)) == [(2, 25), (4, 25)]
    with pytest.raises(UserError, match=r"--size 5 --cells 2: .* take a size of 4"):
        planned(5, Space(cells=2))
    with pytest.raises(UserError, match="take a size of 4"):
        planned(3, Space(cells=4))


def test_search_epochs_are_those_of_the_last_round() -> None:
    assert planned(16, epochs=17) == [(2, 5), (4, 5), (8, 9), (16, 17)]
    assert planned(16, epochs=1) == [(2, 1), (4, 1), (8, 1), (16, 1)]
    assert planned(4, epochs=50) == [(2, 50), (4, 50)]


def test_a_strategy_for_every_round() -> None:
    rounds = plan_rounds(8, Space(), SearchSettings(strategy="random, sgas"), proliferate=True)
    assert rounds == [
        RoundPlan(2, 0, "random"),
        RoundPlan(4, 25, "sgas"),
        RoundPlan(8, 45, "sgas"),
    ]


def test_an_unknown_strategy_is_refused_before_anything_is_done() -> None:
    with pytest.raises(UserError, match="strategy 'drats': did you mean darts"):
        plan_rounds(8, Space(), SearchSettings(strategy="sgas,drats"), proliferate=True)


def test_the_next_supernet_divides_what_is_missing() -> None:
    five = next_supernet(sample(4, python_random(0), Space()), 5, Space())
    assert len(five) == 5
    assert len(five.mixtures("node")) == 3
    assert len(next_supernet(None, 3, Space()).mixtures("node")) == 2 + 3 + 4
