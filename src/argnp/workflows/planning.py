"""Rounds and epochs of a run, fitted once into the time there is."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from argnp.data.schema import Task
from argnp.errors import UserError
from argnp.proliferate.rounds import RoundPlan, plan_rounds
from argnp.workflows.console import duration
from argnp.workflows.context import Context
from argnp.workflows.deadline import working
from argnp.workflows.fits import check_memory
from argnp.workflows.measure import guess, measure
from argnp.workflows.parts import Trains, parts_of
from argnp.workflows.plan import MEMBERS, Plan, told
from argnp.workflows.settings import Settings
from argnp.workflows.variants import variants_for

# Of the time, what is planned with; the rest is for what the measurement cannot see.
_USED = 0.8
_LEAST = (4, 8)  # epochs of a round and of a training, if it can be
_BARE = (1, 1)  # if not
_FEW = 2  # members: fewer than are worth more than variants are
_HALF = 0.5  # of the full schedule: what an ensemble may shorten it to


def make_plan(
    context: Context,
    began: float | None = None,
    trains: Trains = "every",
    *,
    laid_out: int | None = None,
) -> Plan:
    """The full schedule, or what of it fits ``--time-budget``.

    ``began``: when the time began to count, by `time.monotonic`. ``trains``: which of the sizes
    are going to be trained; ``laid_out``: rounds whose architectures lie in the folder, None where
    they are searched.

    What the full schedule leaves goes into variants for validation to choose among and into an
    ensemble. Where there is less, an ensemble comes before the second half of the epochs. Epochs
    of search and training shrink alike. Where even a few of each do not fit, the last rounds go:
    a smaller network that is trained beats a larger one that is not.
    """
    settings = context.settings
    began = time.monotonic() if began is None else began
    rounds = plan_rounds(
        settings.size, context.space, settings.search, proliferate=settings.proliferate
    )
    if laid_out is not None:
        rounds = [replace(planned, epochs=0) for planned in rounds[:laid_out]]
    check_memory(context, rounds)
    epochs = settings.train.epochs
    if not settings.time_budget:
        reason = f"{told(rounds, epochs, trains)}, no time budget"
        members = max(settings.ensemble, 1)
        return Plan(rounds, epochs, 0.0, reason, guess(rounds), members, trains=trains)
    costs = measure(context, rounds)
    spent = time.monotonic() - began
    left = working(settings.time_budget) - spent

    def seconds(
        rounds: list[RoundPlan],
        epochs: int,
        ensemble: int = settings.ensemble,
        variants: Sequence[str] = (),
    ) -> float:
        parts = parts_of(settings, rounds, epochs, costs, trains, ensemble, variants=variants)
        return sum(part.epochs * part.cost for part in parts)

    room = _USED * left
    least = _LEAST
    while len(rounds) > 1 and seconds(*_shrunk(rounds, epochs, 0.0, least)) > room:
        rounds = rounds[:-1]
    if seconds(*_shrunk(rounds, epochs, 0.0, least)) > room:
        least = _BARE
    needed = seconds(*_shrunk(rounds, epochs, 0.0, least))
    if needed > left:
        raise UserError(
            f"--time-budget {duration(settings.time_budget)}: a single epoch of search and "
            f"training takes {duration(needed)} here, and {duration(spent)} went by before it; "
            f"allow {duration((needed / _USED + spent) * 2)}, or take less data or a smaller --size"
        )

    def share_with(ensemble: int, variants: Sequence[str] = ()) -> float:
        """Of the full schedule, to a millionth, what leaves room for these."""
        low, high = 0.0, 1.0
        if seconds(rounds, epochs, ensemble, variants) <= room:
            return high
        for _ in range(20):
            middle = (low + high) / 2
            fits = seconds(*_shrunk(rounds, epochs, middle, least), ensemble, variants) <= room
            low, high = (middle, high) if fits else (low, middle)
        return low

    ensemble, variants = next(
        (n, tried)
        for n, tried, worth in _extras(settings, context.dataset.schema.task, trains)
        if share_with(n, tried) >= worth
    )
    rounds, epochs = _shrunk(rounds, epochs, share_with(ensemble, variants), least)
    ensemble = max(ensemble, 1)
    needed = seconds(rounds, epochs, ensemble, variants)
    return Plan(
        rounds,
        epochs,
        needed,
        f"{told(rounds, epochs, trains, ensemble, variants)}: about {duration(needed)} of the "
        f"{duration(settings.time_budget)} budget",
        costs,
        ensemble,
        variants,
        trains,
    )


def _extras(
    settings: Settings, task: Task, trains: Trains
) -> Iterator[tuple[int, list[str], float]]:
    """Members of an ensemble and variants, the best first, with the share of the full schedule
    that has to be left for them to be worth it."""
    asked = settings.ensemble
    if trains == "every":
        variants = variants_for(settings, task)
        for members in (asked,) if asked else range(MEMBERS, _FEW, -1):
            yield members, variants, 1.0
        if not asked:
            for members in range(MEMBERS, 1, -1):
                yield members, [], _HALF
    yield asked, [], 0.0


def _shrunk(
    rounds: list[RoundPlan], epochs: int, share: float, least: tuple[int, int]
) -> tuple[list[RoundPlan], int]:
    of_round, of_training = least
    return (
        [replace(r, epochs=max(min(of_round, r.epochs), int(share * r.epochs))) for r in rounds],
        max(min(of_training, epochs), int(share * epochs)),
    )
