import time
from pathlib import Path
from typing import Any

import pytest
from tests.small import small_data

from argnp.arch import Space
from argnp.differentiate.settings import SearchSettings
from argnp.errors import UserError
from argnp.proliferate.rounds import plan_rounds
from argnp.runs.folder import RunFolder
from argnp.runs.journal import read_journal
from argnp.train.observer import Silent
from argnp.workflows import planning as module
from argnp.workflows.begin import begun
from argnp.workflows.configure import configure
from argnp.workflows.console import Quiet
from argnp.workflows.context import make_context
from argnp.workflows.measure import Costs, guess, measure
from argnp.workflows.plan import Plan
from argnp.workflows.planning import make_plan

COSTS = Costs((1.0, 2.0, 4.0), (0.5, 1.0, 2.0))
SMALL = {"widths.node": 6, "widths.edge": 4, "kernels": "torch"}


def planned(
    monkeypatch: pytest.MonkeyPatch,
    spent: float = 0.0,
    costs: Costs = COSTS,
    trains: Any = "every",
    **flags: Any,
) -> Plan:
    monkeypatch.setattr(module, "measure", lambda context, rounds: costs)
    settings = configure(flags={**SMALL, "size": 8, "train.epochs": 100, **flags})
    context, _ = make_context(settings, small_data(), Silent())
    return make_plan(context, time.monotonic() - spent, trains)


def lengths(plan: Plan) -> tuple[list[int], int]:
    return [r.epochs for r in plan.rounds], plan.train_epochs


def test_without_a_budget_it_is_the_full_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "measure", lambda *_: pytest.fail("nothing to measure"))
    settings = configure(flags={**SMALL, "size": 8, "train.epochs": 7})
    plan = make_plan(make_context(settings, small_data(), Silent())[0])
    assert lengths(plan) == ([25, 25, 45], 7)
    assert plan.seconds == 0
    assert plan.reason.endswith("train each size for 7, no time budget")


def test_a_budget_that_is_enough_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lengths(planned(monkeypatch, time_budget=3000.0)) == ([25, 25, 45], 100)


def test_all_epochs_shrink_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(monkeypatch, time_budget=400.0)  # the full schedule takes 605 s
    rounds, epochs = lengths(plan)
    share = 0.8 * (400 - 3) / 605  # 3 s are for the test, the model and the report
    assert [*rounds, epochs] == pytest.approx([share * n for n in (25, 25, 45, 100)], abs=1)
    assert 0.7 * 400 < plan.seconds <= 0.8 * 400


def test_the_last_rounds_go_where_a_few_epochs_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(monkeypatch, time_budget=40.0)
    assert [r.vertices for r in plan.rounds] == [2, 4]
    assert min(r.epochs for r in plan.rounds) >= 4
    assert plan.train_epochs >= 8
    assert plan.seconds <= 32


def test_then_there_is_a_single_epoch_of_each(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, epochs = lengths(planned(monkeypatch, time_budget=5.0))
    assert len(rounds) == 1
    assert 1 <= rounds[0] <= 4
    assert 1 <= epochs <= 8


def test_and_then_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"--time-budget 1 s: a single epoch .* 2 s here.* allow"):
        planned(monkeypatch, time_budget=1.0)
    with pytest.raises(UserError, match="1 min 40 s went by"):
        planned(monkeypatch, spent=100.0, time_budget=90.0)


@pytest.mark.parametrize(
    ("budget", "variants", "ensemble", "share"),
    [
        (400.0, 0, 1, 320 / 605),
        (700.0, 0, 3, 560 / 1005),
        (1100.0, 0, 4, 880 / 1205),
        (1300.0, 0, 4, 1040 / 1205),
        (1800.0, 2, 3, 1.0),
        (2500.0, 2, 4, 1.0),
    ],
)
def test_an_ensemble_comes_before_the_last_epochs_and_variants_with_it(
    monkeypatch: pytest.MonkeyPatch, budget: float, variants: int, ensemble: int, share: float
) -> None:
    plan = planned(monkeypatch, time_budget=budget)  # 605 s, and 200 s for each further training
    assert (len(plan.variants), plan.ensemble) == (variants, ensemble)
    assert plan.train_epochs == pytest.approx(100 * share, abs=1)


def test_an_ensemble_that_was_asked_for_is_made_whatever_it_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = planned(monkeypatch, time_budget=700.0, ensemble=4)
    assert (plan.ensemble, plan.variants) == (4, [])
    assert plan.train_epochs == pytest.approx(100 * 560 / 1205, abs=1)


def test_of_a_smaller_network_there_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(monkeypatch, time_budget=700.0)
    assert [plan.members(vertices) for vertices in (8, 4, 2, 3)] == [3, 4, 4, 3]
    assert planned(monkeypatch, time_budget=400.0).members(2) == 1


def test_time_that_has_gone_by_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    rested, late = (planned(monkeypatch, spent=s, time_budget=400.0) for s in (0.0, 200.0))
    assert late.seconds <= 0.8 * 200 < rested.seconds


def test_only_what_is_trained_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    every, last, none = (
        planned(monkeypatch, time_budget=300.0, trains=trains).train_epochs
        for trains in ("every", "last", "none")
    )
    assert every < last < none
    more = planned(monkeypatch, time_budget=300.0, seeds=3, searches=2)
    assert more.train_epochs < every
    assert more.seconds <= 240


def test_costs_are_measured() -> None:
    settings = configure(flags={**SMALL, "size": 4, "search.strategy": "random,sgas"})
    context, _ = make_context(settings, small_data(), Silent())
    rounds = plan_rounds(4, Space(), settings.search, proliferate=True)
    costs = measure(context, rounds)
    assert costs.search[0] == 0
    assert 0 < costs.search[1] < 5
    assert all(0 < seconds < 5 for seconds in costs.train)
    assert guess(rounds).search[0] == 0
    assert guess(rounds).train == (2.0, 4.0)


@pytest.mark.parametrize("batch_size", [5, 100])
def test_a_short_epoch_is_not_taken_for_a_shorter_one(
    monkeypatch: pytest.MonkeyPatch, batch_size: int
) -> None:
    from argnp.train.loop import Training

    monkeypatch.setattr(
        Training, "_learn", lambda self, most: time.sleep(0.05 * min(most, len(self.train_batches)))
    )
    settings = configure(
        flags={**SMALL, "size": 2, "search.strategy": "random", "train.batch_size": batch_size}
    )
    context, _ = make_context(settings, small_data(), Silent())
    rounds = plan_rounds(2, Space(), SearchSettings(strategy="random"), proliferate=True)
    steps = -(-12 // batch_size)
    assert 0.05 * steps <= measure(context, rounds).train[0] < 0.05 * steps + 0.2


def test_the_plan_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = configure(flags={**SMALL, "size": 4, "time_budget": 60.0})
    folder = RunFolder(tmp_path / "run")
    with begun(settings, small_data(), folder, Quiet()) as (_, first):
        pass
    monkeypatch.setattr(
        "argnp.workflows.which_plan.make_plan", lambda *_: pytest.fail("made again")
    )
    with begun(settings, small_data(), folder, Quiet()) as (_, second):
        assert second == first
    events = read_journal(folder.journal).events
    assert [e["event"] for e in events].count("plan") == 1


def test_a_budget_that_is_refused_leaves_the_folder_free(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    short = configure(flags={**SMALL, "size": 2, "time_budget": 1e-3})
    with pytest.raises(UserError, match="--time-budget"):
        begun(short, small_data(), folder, Quiet()).__enter__()
    with begun(configure(flags={**SMALL, "size": 2}), small_data(), folder, Quiet()) as (_, plan):
        assert plan.seconds == 0
