"""A run on a clock of its own, to see what becomes of its plan."""

from collections.abc import Callable
from typing import Any

from tests.small import Recorder

from argnp.proliferate.rounds import RoundPlan
from argnp.runs.events import check_event
from argnp.workflows.cuts import Cut
from argnp.workflows.deadline import deadline
from argnp.workflows.measure import Costs
from argnp.workflows.pace import Budget
from argnp.workflows.parts import Part, key_of, parts_of
from argnp.workflows.settings import Settings

ROUNDS = [RoundPlan(2, 20, "sgas"), RoundPlan(4, 20, "sgas"), RoundPlan(8, 40, "sgas")]
COSTS = Costs((1.0, 2.0, 4.0), (0.5, 1.0, 2.0))
REQUIRED = 20 + 40 + 160 + 30 * 3.5
OPTIONAL = 30 * 2.0 * 4  # two variants and two members
PLANNED = REQUIRED + OPTIONAL
BUDGET = PLANNED / 0.8


class Run:
    """Goes through the parts of a run on a clock of its own; ``cost`` tells what epochs take."""

    def __init__(
        self,
        cost: Callable[[float, float], float],
        seconds: float = BUDGET,
        searches: int = 1,
        cuts: list[Cut] | None = None,
    ) -> None:
        self.now = 0.0
        self.cost = cost
        self.events: list[dict[str, Any]] = []
        self.settings = Settings(searches=searches)
        self.seconds = seconds
        self.cuts = cuts or []
        self.budget = self.made()

    def keep(self, name: str, fields: dict[str, Any]) -> None:
        check_event(name, fields)
        self.events.append({"event": name, **fields})

    def made(self) -> Budget:
        return Budget(
            parts_of(
                self.settings, ROUNDS, 30, COSTS, "every", ensemble=3, variants=("narrow", "sum")
            ),
            seconds=deadline(self.seconds),
            began=self.now,
            measured=True,
            observer=Recorder(self.keep),
            cuts=self.cuts,
            clock=lambda: self.now,
        )

    def tell(self, name: str, fields: dict[str, Any]) -> None:
        self.events.append({"event": name, **fields})
        self.budget.saw(name, fields)

    @property
    def parts(self) -> list[Part]:
        return list(self.budget.progress.parts.values())

    def go(self, stop_after: int | None = None, lost: int = 0) -> dict[Any, int]:
        """Epochs of every part; the process ends after so many of them. ``lost``: epochs of the
        part in progress that were done before and that no checkpoint holds."""
        done: dict[Any, int] = {}
        for part in self.parts:
            kind = "search" if part.phase == "search" else "train"
            label = {"search": "round", "train": "train"}[kind]
            if kind == "train" and self.budget.skips(part.labels):
                continue
            ended = part.ended
            if not ended:
                self.tell(f"{label}-start", {**part.labels, "epochs": part.epochs})
            seen, epoch = len(part.seconds), len(part.seconds)
            if seen and not ended:
                epoch = max(0, seen - lost)
            while not ended and epoch < part.epochs and stop_after != 0:
                seconds = self.cost(self.now, part.cost)
                self.now += seconds
                self.tell(f"{kind}-epoch", {**part.labels, "epoch": epoch, "seconds": seconds})
                epoch += 1
                if stop_after is not None:
                    stop_after -= 1
                if epoch < part.epochs and self.budget.ends(part.labels, epoch, seconds):
                    break
            if stop_after == 0:
                return done
            done[key_of(part.labels)] = epoch
            self.tell(f"{label}-end", dict(part.labels))
        return done

    def said(self, name: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == name]


def at(factor: float, since: float = 0.0) -> Callable[[float, float], float]:
    return lambda now, cost: cost * (factor if now >= since else 1.0)


def planned(searches: int = 1) -> dict[Any, int]:
    return {key_of(part.labels): part.epochs for part in Run(at(1), searches=searches).parts}
