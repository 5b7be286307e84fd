import math
from collections.abc import Callable
from typing import Any

import pytest
from tests.small import Recorder

from argnp.proliferate.rounds import RoundPlan
from argnp.runs.events import check_event
from argnp.workflows.measure import Costs
from argnp.workflows.pace import Budget
from argnp.workflows.parts import parts_of
from argnp.workflows.settings import Settings

ROUNDS = [RoundPlan(2, 20, "sgas"), RoundPlan(4, 20, "sgas"), RoundPlan(8, 40, "sgas")]
COSTS = Costs((1.0, 2.0, 4.0), (0.5, 1.0, 2.0))
PLANNED = 20 + 40 + 160 + 30 * 3.5


class Run:
    """Goes through the parts of a run on a clock of its own; ``cost`` tells what epochs take."""

    def __init__(
        self, seconds: float, cost: Callable[[float, float], float], searches: int = 1
    ) -> None:
        self.now = 0.0
        self.cost = cost
        self.events: list[dict[str, Any]] = []
        self.settings = Settings(searches=searches)
        self.seconds = seconds
        self.recorder = Recorder(self.keep)
        self.budget = self.made()

    def keep(self, name: str, fields: dict[str, Any]) -> None:
        check_event(name, fields)
        self.events.append({"event": name, **fields})

    def made(self) -> Budget:
        return Budget(
            ROUNDS,
            parts_of(self.settings, ROUNDS, 30, COSTS, "every", full=[20, 40, 80]),
            seconds=self.seconds,
            began=self.now,
            measured=True,
            observer=self.recorder,
            clock=lambda: self.now,
        )

    def tell(self, name: str, fields: dict[str, Any]) -> None:
        self.events.append({"event": name, **fields})
        self.budget.saw(name, fields)

    def go(self, stop_after: int | None = None) -> dict[Any, int]:
        """Epochs of every part; the process ends after so many of them."""
        done: dict[Any, int] = {}
        for part in list(self.budget.parts.values()):
            kind = "search" if part.phase == "search" else "train"
            label = {"search": "round", "train": "train"}[kind]
            epochs = self.budget.begin(part.epochs, part.labels)
            if not part.ended:
                self.tell(f"{label}-start", {**part.labels, "epochs": epochs})
            for epoch in range(len(part.seconds), epochs):
                if part.ended or stop_after == 0:
                    break
                seconds = self.cost(self.now, part.cost)
                self.now += seconds
                self.tell(f"{kind}-epoch", {**part.labels, "epoch": epoch, "seconds": seconds})
                if stop_after is not None:
                    stop_after -= 1
                if epoch + 1 < epochs and self.budget.late(seconds):
                    break
            if stop_after == 0:
                return done
            done[tuple(part.labels.items())] = len(part.seconds)
            self.tell(f"{label}-end", part.labels)
        return done


def test_a_run_as_fast_as_planned_is_left_alone() -> None:
    run = Run(1.25 * PLANNED, lambda now, cost: cost)
    assert list(run.go().values()) == [20, 20, 40, 30, 30, 30]
    assert run.now == pytest.approx(PLANNED)
    assert run.recorder.events == []


def test_without_a_budget_nothing_is_late() -> None:
    run = Run(math.inf, lambda now, cost: 100 * cost)
    assert list(run.go().values()) == [20, 20, 40, 30, 30, 30]
    assert run.recorder.events == []


@pytest.mark.parametrize("searches", [1, 3])
@pytest.mark.parametrize("factor", [1.1, 1.5, 2.0, 3.0, 6.0, 12.0])
@pytest.mark.parametrize("since", [0.0, 0.2, 0.5, 0.7])
def test_however_slow_it_gets_it_is_not_late(factor: float, since: float, searches: int) -> None:
    seconds = 1.25 * PLANNED * searches
    run = Run(seconds, lambda now, cost: cost * (factor if now > since * seconds else 1), searches)
    done = run.go()
    assert run.now <= 1.1 * seconds
    assert all(epochs >= 1 for epochs in done.values())
    assert len(done) == 6 * searches
    # Late runs use their time: they are not cut to the bone out of caution.
    assert run.now > 0.6 * seconds


def test_what_has_not_begun_is_shortened_first() -> None:
    run = Run(1.25 * PLANNED, lambda now, cost: 1.6 * cost)
    done = list(run.go().values())
    assert done[0] == 20  # begun as planned, and ended as planned
    planned = [20, 40, 30, 30, 30]
    assert all(epochs < full for epochs, full in zip(done[1:], planned, strict=True))
    assert [e["event"] for e in run.events].count("warning") == 0
    plans = [e for e in run.events if e["event"] == "plan"]
    assert plans[0]["attempt"] == 1
    assert [r["vertices"] for r in plans[0]["rounds"]] == [2, 4, 8]
    assert plans[0]["reason"].startswith("slower than planned: what has not begun is cut to ")


@pytest.mark.parametrize("factor", [0.05, 0.3, 0.6])
def test_what_an_estimate_cut_too_short_is_lengthened(factor: float) -> None:
    """The first round is over when it shows; what follows gets its time, and not more."""
    run = Run(1.25 * PLANNED, lambda now, cost: factor * cost)
    done = list(run.go().values())
    planned, full = [20, 20, 40, 30, 30, 30], [20, 40, 80, 100, 100, 100]
    assert done[0] == planned[0]
    assert all(few < many for few, many in zip(planned[3:], done[3:], strict=True))
    assert all(many <= most for many, most in zip(done, full, strict=True))
    assert run.now <= 1.25 * PLANNED
    if factor == 0.05:
        assert done[1:] == full[1:]
    plans = [e for e in run.events if e["event"] == "plan"]
    assert plans[0]["reason"].startswith("faster than planned: what has not begun is lengthened")


def test_a_part_in_progress_ends_as_a_last_resort() -> None:
    seconds = 1.25 * PLANNED
    # The last training: nothing is left that could be shortened instead.
    run = Run(seconds, lambda now, cost: cost if now < PLANNED - 50 else 5 * cost)
    done = list(run.go().values())
    assert done[:-1] == [20, 20, 40, 30, 30]
    assert 1 <= done[-1] < 30
    assert run.now <= seconds


@pytest.mark.parametrize("stop", [1, 5, 25, 45, 60, 100])
def test_a_run_that_goes_on_follows_its_journal(stop: int) -> None:
    def cost(now: float, planned: float) -> float:
        return 1.6 * planned

    undisturbed = Run(1.25 * PLANNED, cost)
    expected = undisturbed.go()
    run = Run(1.25 * PLANNED, cost)
    run.go(stop)
    at_stop = run.now
    run.now += 1e6  # lost between the two commands; it is not held against the run
    run.budget = run.made()
    run.budget.replay(run.events)
    assert run.go() == expected
    assert run.now - 1e6 == pytest.approx(undisturbed.now)
    assert at_stop < undisturbed.now


def test_the_time_left_is_honest() -> None:
    run = Run(math.inf, lambda now, cost: 2 * cost)
    assert run.budget.left() == pytest.approx(PLANNED)
    checks = []

    def cost(now: float, planned: float) -> float:
        left = run.budget.left()
        assert left is not None
        checks.append(now + left)
        return 2 * planned

    run.cost = cost
    run.go()
    # From the first epoch on the whole is estimated by what epochs really take.
    assert checks[1:] == pytest.approx([2 * PLANNED] * (len(checks) - 1))
    assert run.budget.left() == 0


def test_nothing_is_known_before_the_first_epoch_of_what_was_not_measured() -> None:
    run = Run(math.inf, lambda now, cost: cost)
    run.budget.measured = False
    assert run.budget.left() is None
    run.tell("search-epoch", {"search": 0, "round": 0, "epoch": 0, "seconds": 3.0})
    assert run.budget.left() == pytest.approx(3 * (PLANNED - 1))


def test_members_of_an_ensemble_are_of_whatever_is_chosen() -> None:
    run = Run(math.inf, lambda now, cost: cost)
    run.budget = Budget(
        ROUNDS,
        parts_of(run.settings, ROUNDS, 30, COSTS, "every", 3),
        seconds=math.inf,
        began=0.0,
        measured=True,
        observer=run.recorder,
        clock=lambda: run.now,
    )
    assert run.budget.left() == pytest.approx(PLANNED + 2 * 30 * 2.0)
    members = [part for part in run.budget.parts.values() if part.labels.get("seed", 0) > 0]
    for part in list(run.budget.parts.values()):
        part.ended = part not in members
    for seed in (1, 2):
        chosen = {"search": 0, "size": 4, "seed": seed}
        assert run.budget.begin(30, chosen) == 30
        run.tell("train-start", {**chosen, "epochs": 30})
        assert run.budget.left() == pytest.approx(30 + (2 - seed) * 60)
        run.tell("train-end", chosen)
    assert run.budget.left() == 0


def test_a_training_that_none_was_planned_for_takes_what_time_there_is() -> None:
    run = Run(math.inf, lambda now, cost: cost)
    run.budget = run.made()
    for part in run.budget.parts.values():
        part.ended = True
    more = {"search": 0, "size": 4, "seed": 7}
    run.budget.seconds = run.budget.clock() - run.budget.began + 12.0
    epochs = run.budget.begin(30, more)  # of a second each
    assert 8 <= epochs <= 12
    run.tell("train-start", {**more, "epochs": epochs})
    assert run.budget.left() == pytest.approx(epochs)
    # A run that goes on keeps the epochs that it began with.
    again = run.made()
    again.replay([{"event": "train-start", **more, "epochs": epochs}])
    assert again.begin(30, more) == epochs
    assert again.begin(30, {"search": 0, "size": 99, "seed": 7}) == 30
