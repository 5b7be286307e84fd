"""The plan holds, whatever the clock does: it may only cut, and says so."""

import math

import pytest
from tests.workflows.clocked import BUDGET, OPTIONAL, PLANNED, REQUIRED, Run, at, planned

from argnp.workflows.cuts import Cut
from argnp.workflows.deadline import deadline, working
from argnp.workflows.parts import key_of, optional


def test_what_a_run_can_do_without() -> None:
    assert [optional(part.labels) for part in Run(at(1)).parts] == [False] * 6 + [True] * 4


@pytest.mark.parametrize("seconds", [10.0, 45.0, 60.0, 1800.0, 36_000.0])
def test_the_deadline_leaves_what_is_not_planned_with(seconds: float) -> None:
    """Also where opening the data and measuring took a good part of it."""
    for opening in (0.0, 0.1 * seconds, 0.3 * seconds):
        longest = 1.2 * 0.8 * (working(seconds) - opening) + opening
        assert longest <= deadline(seconds) <= 1.05 * seconds


@pytest.mark.parametrize("factor", [0.05, 0.5, 1.0, 1.15, 1.2])
def test_a_machine_a_little_slower_or_any_faster_follows_the_plan(factor: float) -> None:
    run = Run(at(factor))
    assert run.go() == planned()
    assert run.now == pytest.approx(factor * PLANNED)
    assert not run.said("cut")


def test_without_a_budget_nothing_is_late() -> None:
    run = Run(at(100), math.inf)
    assert run.go() == planned()
    assert not run.said("cut")


@pytest.mark.parametrize("searches", [1, 3])
@pytest.mark.parametrize("factor", [1.0, 1.5, 2.0, 3.0, 6.0, 12.0])
@pytest.mark.parametrize("since", [0.0, 0.2, 0.5, 0.7])
def test_however_slow_it_gets_it_is_not_late(factor: float, since: float, searches: int) -> None:
    plan = planned(searches)
    seconds = ((REQUIRED * searches) + OPTIONAL) / 0.8
    run = Run(at(factor, since * seconds), seconds, searches)
    done = run.go()
    assert run.now <= 1.1 * seconds
    # Late runs use their time: they are not cut to the bone out of caution.
    assert run.now > 0.6 * seconds
    # Every part has the epochs of the plan, or a cut that tells of those that it had.
    cuts = {key_of(Cut(**{k: e[k] for k in Cut.__struct_fields__ if k in e}).labels): e["epochs"]
            for e in run.said("cut")}  # fmt: skip
    assert {**dict.fromkeys(plan, 0), **done} == {**plan, **cuts}
    assert all(e["epochs"] == plan[key_of({k: e[k] for k in e if k not in ("event", "epochs")})]
               for e in run.said("train-start") + run.said("round-start"))  # fmt: skip
    # What is needed is always there; what can be done without goes first.
    assert all(part.seconds for part in run.parts if not optional(part.labels))
    if factor == 1.5:
        assert all(epochs == 0 for epochs in cuts.values())


def test_what_does_not_fit_is_left_out_and_said_to_be() -> None:
    run = Run(at(1.5))
    run.go()
    assert [(e["size"], e["seed"], e.get("variant")) for e in run.said("cut")] == [
        (8, 1, None),
        (8, 2, None),
    ]
    assert run.said("cut")[0]["reason"] == (
        "training search 0, size 8, seed 1: left out, because the time budget has no room for it"
    )
    assert run.budget.left() == 0


def test_a_part_in_progress_ends_as_a_last_resort() -> None:
    run = Run(at(9, since=PLANNED - 50))
    done = list(run.go().values())
    assert done[:-1] == [20, 20, 40] + [30] * 6
    assert 1 <= done[-1] < 30
    (cut,) = run.said("cut")
    assert cut["reason"] == (
        f"training search 0, size 8, seed 2: ended after {done[-1]} of 30 epochs, "
        "because the time budget is used up"
    )


@pytest.mark.parametrize("factor", [1.0, 1.2, 3.0])
@pytest.mark.parametrize("stop", [1, 5, 25, 45, 60, 100, 180])
def test_a_run_that_goes_on_follows_its_journal(stop: int, factor: float) -> None:
    undisturbed = Run(at(factor))
    expected = undisturbed.go()
    run = Run(at(factor))
    run.go(stop)
    run.now += 1e6  # lost between the two commands; it is not held against the run
    run.budget = run.made()
    run.budget.replay(run.events)
    assert run.go() == expected
    assert run.now - 1e6 == pytest.approx(undisturbed.now)
    assert [e["reason"] for e in run.said("cut")] == [e["reason"] for e in undisturbed.said("cut")]


def test_many_kills_cut_nothing() -> None:
    """Whatever the lost epochs add up to: an undisturbed run would have had the time."""
    run, kills = Run(at(1.15)), 0
    while len(run.go(7, lost=6)) < len(planned()):
        run.budget = run.made()
        run.budget.replay(run.events)
        kills += 1
    assert kills > 100
    assert run.now > 2 * BUDGET
    assert not run.said("cut")


def test_a_cut_that_is_journaled_holds_whatever_the_clock_says_later() -> None:
    slow = Run(at(3.0))
    slow.go()
    ended = next(e for e in slow.said("cut") if e["epochs"])
    left_out = next(e for e in slow.said("cut") if not e["epochs"])
    run = Run(at(0.01))
    run.budget.replay([ended, left_out])
    done = run.go()
    assert done[key_of({k: ended[k] for k in ("search", "round", "size", "seed") if k in ended})] \
        == ended["epochs"]  # fmt: skip
    assert len(done) == len(planned()) - 1
    assert not run.said("cut")  # they are in the journal already


def test_what_was_done_before_is_done_again_before_anything_is_cut() -> None:
    run = Run(at(1))
    run.go(15)
    run.budget = run.made()
    run.budget.replay(run.events)
    run.now += 10 * BUDGET  # within this process: nothing fits any more
    run.go(12, lost=5)
    assert [e["epoch"] for e in run.said("search-epoch")] == [*range(15), *range(10, 15), 0, 0]
    assert [e["epochs"] for e in run.said("cut")][:3] == [15, 1, 1]


def test_the_cuts_of_a_plan_that_was_given_are_made_again_and_told_once() -> None:
    slow = Run(at(3.0))
    expected = slow.go()
    cuts = [Cut(**{k: e[k] for k in Cut.__struct_fields__ if k in e}) for e in slow.said("cut")]
    run = Run(at(50.0), math.inf, cuts=cuts)
    assert run.go() == expected
    assert len(run.said("cut")) == len(cuts)
    assert all(e["reason"].endswith("as in the plan that was given") for e in run.said("cut"))
    run.budget = run.made()
    run.budget.replay(run.events)
    assert run.go() == expected
    assert len(run.said("cut")) == len(cuts)


def test_the_time_left_is_honest() -> None:
    run = Run(at(2), math.inf)
    assert run.budget.left() == pytest.approx(PLANNED)
    checks = []

    def cost(now: float, estimated: float) -> float:
        left = run.budget.left()
        assert left is not None
        checks.append(now + left)
        return 2 * estimated

    run.cost = cost
    run.go()
    # From the first epoch on the whole is estimated by what epochs really take.
    assert checks[1:] == pytest.approx([2 * PLANNED] * (len(checks) - 1))
    assert run.budget.left() == 0


def test_the_time_left_is_no_more_than_there_is() -> None:
    run = Run(at(5))
    run.go(10)
    assert run.budget.left() == pytest.approx(deadline(BUDGET) - run.now)


def test_nothing_is_known_before_the_first_epoch_of_what_was_not_measured() -> None:
    run = Run(at(1), math.inf)
    run.budget.measured = False
    assert run.budget.left() is None
    run.tell("search-epoch", {"search": 0, "round": 0, "epoch": 0, "seconds": 3.0})
    assert run.budget.left() == pytest.approx(3 * (PLANNED - 1))


def test_members_of_an_ensemble_are_of_whatever_is_chosen() -> None:
    run = Run(at(1), math.inf)
    members = [part for part in run.parts if part.labels.get("seed", 0) != 0]
    for part in run.parts:
        part.ended = part not in members
    for seed in (1, 2):
        chosen = {"search": 0, "size": 4, "seed": seed}
        assert not run.budget.skips(chosen)
        run.tell("train-start", chosen)
        assert run.budget.left() == pytest.approx(30 + (2 - seed) * 60)
        run.tell("train-end", chosen)
    assert run.budget.left() == 0


def test_seconds_of_a_member_count_although_it_began_again() -> None:
    """The journal holds the start that was said last, behind the epochs that came before it."""
    run = Run(at(1))
    chosen = {"search": 0, "size": 4, "seed": 1}
    epochs = [
        {"event": "train-epoch", **chosen, "epoch": epoch, "seconds": 2.0} for epoch in range(5)
    ]
    run.budget.replay([*epochs, {"event": "train-start", **chosen}])
    assert run.budget.progress.worked == 10.0


def test_a_training_that_none_was_planned_for_is_made_if_there_is_time() -> None:
    run = Run(at(1))
    for part in run.parts:
        part.ended = True
    more = {"search": 0, "size": 4, "seed": 7}
    run.now = deadline(BUDGET) - 29.0
    assert run.budget.skips(more)
    run = Run(at(1))
    for part in run.parts:
        part.ended = True
    run.now = deadline(BUDGET) - 31.0
    assert not run.budget.skips(more)
    assert not run.budget.skips({"search": 0, "size": 99, "seed": 8})
