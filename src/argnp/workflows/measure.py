"""How long steps take here: a short measurement that a time budget is planned with."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from argnp.arch import sample
from argnp.differentiate.round import Round
from argnp.proliferate.rounds import RoundPlan, some_supernet
from argnp.train.loop import Training
from argnp.train.observer import Silent
from argnp.train.seeds import python_random
from argnp.workflows.context import Context

_TRIALS = 3
# How much longer than an epoch of training an epoch of the search takes, by experience: half the
# data, but two batches a step, and eight candidates a link.
_SEARCH_TO_TRAIN = 2.7


@dataclass(frozen=True)
class Costs:
    """Seconds of an epoch: of each round of the search, and of training each round's size."""

    search: tuple[float, ...]
    train: tuple[float, ...]


def guess(rounds: list[RoundPlan]) -> Costs:
    """How the costs compare, by the number of vertices alone: no measurement, no seconds."""
    return Costs(
        tuple(_SEARCH_TO_TRAIN * r.vertices if r.epochs else 0.0 for r in rounds),
        tuple(float(r.vertices) for r in rounds),
    )


def measure(context: Context, rounds: list[RoundPlan]) -> Costs:
    """From a few steps of each supernet, and of a random network of each size."""
    sizes = [planned.vertices for planned in rounds]
    search, train = [], []
    for index, planned in enumerate(rounds):
        search.append(_search_epoch(context, planned, sizes, index))
        train.append(_train_epoch(context, planned.vertices))
    return Costs(tuple(search), tuple(train))


def _search_epoch(context: Context, planned: RoundPlan, sizes: list[int], index: int) -> float:
    if not planned.epochs:
        return 0.0
    trial = Round(
        some_supernet(sizes, index, context.space),
        context.dataset,
        msgspec.structs.replace(context.settings.search, strategy=planned.strategy),
        context.settings.train,
        context.widths(None),
        epochs=planned.epochs,
        seed=0,
        core=context.core,
        scaling=context.scaling,
        observer=Silent(),
        labels={"search": 0, "round": index},
        device=context.device,
    )
    return _step_seconds(trial.few_steps) * len(trial.batches)


def _train_epoch(context: Context, vertices: int) -> float:
    architecture = sample(vertices, python_random(1), context.space)
    trial = Training(
        context.network(architecture, 0),
        context.dataset,
        context.settings.train,
        seed=0,
        scaling=context.scaling,
        observer=Silent(),
        labels={},
    )
    learning = _step_seconds(trial.few_steps) * len(trial.train_batches)
    began = time.monotonic()
    trial.validate()
    return learning + time.monotonic() - began


def _step_seconds(steps: Callable[[int], int]) -> float:
    """Seconds of a step, after one that is not counted (caches fill, kernels are built).

    The shortest of a few: what else the machine does for a moment says nothing about the run,
    and `argnp.workflows.pace` sees to it where it lasts.
    """
    steps(1)
    taken = []
    for _ in range(_TRIALS):
        began = time.monotonic()
        steps(1)
        taken.append(time.monotonic() - began)
    return min(taken)
