"""What a run is going to do: decided once, before the first round, and journaled."""

from collections.abc import Sequence
from typing import Final

import msgspec

from argnp.differentiate.strategies import strategy
from argnp.proliferate.rounds import RoundPlan
from argnp.workflows.cuts import Cut
from argnp.workflows.measure import Costs
from argnp.workflows.parts import Trains

MEMBERS: Final = 4  # at most, of an ensemble that nobody asked for


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What will be done. ``seconds`` is the estimate; 0 where nothing was measured.

    ``costs``: seconds of an epoch, or where nothing was measured how they compare. ``trains``:
    which sizes are trained. ``run``: whose plan this was, with what the clock ``cuts`` of it.
    """

    rounds: list[RoundPlan]
    train_epochs: int
    seconds: float
    reason: str
    costs: Costs
    ensemble: int = 1
    variants: list[str] = []
    trains: Trains = "every"
    run: str | None = None
    cuts: list[Cut] = []

    def members(self, vertices: int) -> int:
        """Trainings that predict as one, once the size is known: the ensemble is planned as if of
        the largest one, and of a smaller one there are more for the same time."""
        by_size = {r.vertices: cost for r, cost in zip(self.rounds, self.costs.train, strict=False)}
        largest = self.rounds[-1].vertices
        more = int((self.ensemble - 1) * by_size[largest] / by_size.get(vertices, by_size[largest]))
        return min(1 + more, max(MEMBERS, self.ensemble))


def told(
    rounds: Sequence[RoundPlan],
    epochs: int,
    trains: Trains,
    ensemble: int = 1,
    variants: Sequence[str] = (),
) -> str:
    """A plan in words."""
    searched = [
        f"{r.vertices} {f'in {r.epochs} epochs' if r.epochs else 'by lot'}"
        for r in rounds
        if r.epochs or strategy(r.strategy).update is None
    ]
    to = f"search to {', '.join(searched)}" if searched else "no search"
    trained = {
        "every": f", train each size for {epochs}",
        "last": f", train the last size for {epochs}",
        "none": "",
    }
    together = f", the chosen one {ensemble} times" if ensemble > 1 and trains == "every" else ""
    return f"{to}{trained[trains]}{_tuned(variants)}{together}"


def _tuned(variants: Sequence[str]) -> str:
    if not variants:
        return ""
    *before, last = variants
    return f", the chosen one {' and '.join([', '.join(before), last] if before else [last])}, too"
