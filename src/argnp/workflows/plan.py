"""Rounds and epochs of a run, fitted once into the time there is."""

import time
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from argnp.differentiate.strategies import strategy
from argnp.errors import UserError
from argnp.proliferate.rounds import RoundPlan, plan_rounds
from argnp.workflows.console import duration
from argnp.workflows.context import Context
from argnp.workflows.fits import check_memory
from argnp.workflows.measure import Costs, guess, measure
from argnp.workflows.parts import Trains, parts_of
from argnp.workflows.variants import variants_for

# Of the time, what is planned with; the rest is for what the measurement cannot see.
_USED = 0.8
_LEAST = (4, 8)  # epochs of a round and of a training, if it can be
_BARE = (1, 1)  # if not
_MEMBERS = 4  # of an ensemble that nobody asked for


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What will be done. ``seconds`` is the estimate; 0 where nothing was measured.

    ``costs``: seconds of an epoch, or where nothing was measured how they compare.
    """

    rounds: list[RoundPlan]
    train_epochs: int
    seconds: float
    reason: str
    costs: Costs
    ensemble: int = 1
    variants: list[str] = []


def make_plan(
    context: Context,
    began: float | None = None,
    trains: Trains = "every",
    *,
    given: bool = False,
) -> Plan:
    """The full schedule, or what of it fits ``--time-budget``.

    ``began``: when the time began to count, by `time.monotonic`. ``trains``: which of the sizes
    are going to be trained; ``given``: their architectures lie in the folder.

    Epochs of search and training shrink alike. Where even a few of each do not fit, the last
    rounds go: a smaller network that is trained beats a larger one that is not.
    """
    settings = context.settings
    began = time.monotonic() if began is None else began
    rounds = plan_rounds(
        settings.size, context.space, settings.search, proliferate=settings.proliferate
    )
    if given:
        rounds = [replace(planned, epochs=0) for planned in rounds[: _laid_out(context)]]
    check_memory(context, rounds)
    epochs = settings.train.epochs
    if not settings.time_budget:
        told = f"{_told(rounds, epochs, trains)}, no time budget"
        return Plan(rounds, epochs, 0.0, told, guess(rounds), max(settings.ensemble, 1))
    costs = measure(context, rounds)
    left = settings.time_budget - (time.monotonic() - began)

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
        spent = settings.time_budget - left
        raise UserError(
            f"--time-budget {duration(settings.time_budget)}: a single epoch of search and "
            f"training takes {duration(needed)} here, and {duration(spent)} went by before it; "
            f"allow {duration((needed / _USED + spent) * 2)}, or take less data or a smaller --size"
        )
    low, high = 0.0, 1.0
    for _ in range(20):  # the share of the full schedule that fits, to a millionth
        middle = (low + high) / 2
        fits = seconds(*_shrunk(rounds, epochs, middle, least)) <= room
        low, high = (middle, high) if fits else (low, middle)
    share = 1.0 if seconds(rounds, epochs) <= room else low
    rounds, epochs = _shrunk(rounds, epochs, share, least)
    # Time that is left goes into what validation can choose among, then into an ensemble.
    spare = trains == "every" and share == 1.0
    variants = variants_for(settings, context.dataset.schema.task) if spare else []
    if seconds(rounds, epochs, settings.ensemble, variants) > room:
        variants = []
    ensemble = settings.ensemble or max(
        (
            n
            for n in range(2, _MEMBERS + 1)
            if share == 1.0 and seconds(rounds, epochs, n, variants) <= room
        ),
        default=1,
    )
    needed = seconds(rounds, epochs, ensemble, variants)
    return Plan(
        rounds,
        epochs,
        needed,
        f"{_told(rounds, epochs, trains)}{_tuned(variants)}{_together(ensemble, trains)}: "
        f"about {duration(needed)} "
        f"of the {duration(settings.time_budget)} budget",
        costs,
        ensemble,
        variants,
    )


def _laid_out(context: Context) -> int:
    """Rounds whose architectures lie in the folder, of every search."""
    count = 0
    while context.folder is not None and all(
        context.folder.architecture(search, count).exists()
        for search in range(context.settings.searches)
    ):
        count += 1
    return count


def _shrunk(
    rounds: list[RoundPlan], epochs: int, share: float, least: tuple[int, int]
) -> tuple[list[RoundPlan], int]:
    of_round, of_training = least
    return (
        [replace(r, epochs=max(min(of_round, r.epochs), int(share * r.epochs))) for r in rounds],
        max(min(of_training, epochs), int(share * epochs)),
    )


def _tuned(variants: Sequence[str]) -> str:
    if not variants:
        return ""
    *before, last = variants
    return f", the chosen one {' and '.join([', '.join(before), last] if before else [last])}, too"


def _together(ensemble: int, trains: Trains) -> str:
    return f", the chosen one {ensemble} times" if ensemble > 1 and trains == "every" else ""


def _told(rounds: list[RoundPlan], epochs: int, trains: Trains) -> str:
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
    return f"{to}{trained[trains]}"
