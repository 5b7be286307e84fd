"""The run folder at work: opened, checked, locked, journaled."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from argnp import __version__
from argnp.data.dataset import Dataset
from argnp.data.molecules.rejected import write_rejected
from argnp.differentiate.halves import halves
from argnp.differentiate.strategies import strategy
from argnp.errors import UserError
from argnp.heads.losses import loss_for
from argnp.heads.metrics import METRICS
from argnp.ops.catalogue import node_operation, relation_operation
from argnp.proliferate.rounds import plan_rounds
from argnp.runs.folder import RunFolder
from argnp.runs.journal import Journal, read_journal
from argnp.runs.naming import default_name
from argnp.runs.resume import begin_or_resume
from argnp.workflows.console import Console
from argnp.workflows.context import Context, describe, make_context, pick_device
from argnp.workflows.deadline import deadline
from argnp.workflows.made_with import command_line, environment
from argnp.workflows.observer import RunObserver
from argnp.workflows.open_data import Opened
from argnp.workflows.pace import Budget
from argnp.workflows.parts import Trains, parts_of
from argnp.workflows.plan import Plan
from argnp.workflows.settings import Settings
from argnp.workflows.which_plan import new_plan, plan_for

# How it is computed may change on the way; what is computed may not.
_MAY_CHANGE = ("executor",)


def run_folder(settings: Settings, dataset: Dataset, output: Path | None) -> RunFolder:
    """The folder named, or one whose name the same settings find again."""
    if output is not None:
        return RunFolder(output)
    name = default_name(settings.data.data, dataset.schema.task.name, msgspec.to_builtins(settings))
    return RunFolder(Path("runs") / name)


@contextmanager
def begun(
    settings: Settings,
    dataset: Dataset,
    folder: RunFolder,
    console: Console,
    *,
    resume: bool | None = None,
    prepare: Callable[[RunFolder], None] | None = None,
    began: float | None = None,
    trains: Trains = "every",
    checkpoint_seconds: float = 10.0,
) -> Iterator[tuple[Context, Plan]]:
    """The context and the plan of a run, in its locked folder, with the journal open.

    ``began``: when the time began to count, by `time.monotonic`; ``trains``: which of the sizes
    on the way are going to be trained.
    """
    if resume is True and not folder.config.exists():
        raise UserError(f"{folder.path}: holds no run to go on with; leave out --resume")
    if resume is False and folder.config.exists():
        raise UserError(f"{folder.path}: holds a run already; choose another folder with -o")
    began = time.monotonic() if began is None else began
    check(settings, dataset, searches=prepare is None)
    facts = describe(dataset)
    with folder.locked():
        goes_on = begin_or_resume(folder, msgspec.to_builtins(settings), facts, ignore=_MAY_CHANGE)
        if prepare is not None:
            prepare(folder)
        with Journal(folder.journal) as journal:
            observer = RunObserver(console, journal)
            context, kernels = make_context(
                settings, dataset, observer, folder, checkpoint_seconds=checkpoint_seconds
            )
            _announce(
                console, f"{'going on with' if goes_on else 'run'} {folder.path}: {kernels}", facts
            )
            journal.append(
                "run-start",
                settings={
                    **msgspec.to_builtins(context.settings),
                    "metric": dataset.metric,
                    "higher_is_better": METRICS[dataset.metric].higher_is_better,
                },
                command=command_line(),
                environment=environment(),
                fingerprint=dataset.fingerprint,
                kernels=kernels,
                version=__version__,
            )
            kept = read_journal(journal.path).events
            try:
                plan = plan_for(context, kept, began, trains, given=prepare is not None)
            except UserError:
                if not goes_on:  # nothing was done: the folder is free for other settings
                    folder.config.unlink()
                raise
            yield with_pace(context, plan, kept, began, trains), plan
            journal.append("run-end", seconds=time.monotonic() - began, sync=True)


def begun_in_memory(
    settings: Settings,
    dataset: Dataset,
    console: Console,
    *,
    began: float,
    trains: Trains = "every",
) -> tuple[Context, Plan]:
    """The context and the plan of a run that leaves nothing on the disk."""
    check(settings, dataset, searches=True)
    context, kernels = make_context(settings, dataset, RunObserver(console))
    _announce(console, f"run: {kernels}", describe(dataset))
    plan = new_plan(context, began, trains, None)
    return with_pace(context, plan, (), began, trains), plan


def _announce(console: Console, first: str, facts: Mapping[str, Any]) -> None:
    """What runs, and what is odd about the data."""
    console.line(first)
    for warning in facts["warnings"]:
        console.line(f"warning: {warning}")


def keep_rejected(folder: RunFolder, opened: Opened) -> None:
    """rejected.csv: the rows of a table that took no part, and why."""
    if opened.molecules is not None and opened.molecules.rejected:
        write_rejected(folder.path / "rejected.csv", opened.molecules.rejected)


def check(settings: Settings, dataset: Dataset, *, searches: bool) -> None:
    """Refuse what cannot be run before anything is written."""
    try:
        space = settings.space.space(relations=dataset.schema.relations != "off")
    except ValueError as error:
        raise UserError(f"setting space: {error}") from None
    for name in space.parametric("node"):
        node_operation(name)
    for name in space.parametric("relation"):
        relation_operation(name)
    rounds = plan_rounds(settings.size, space, settings.search, proliferate=settings.proliferate)
    if searches and any(strategy(planned.strategy).update for planned in rounds):
        halves(dataset, settings.seed)
    loss_for(dataset.schema.task, settings.train.loss)
    pick_device(settings.device)


def with_pace(
    context: Context,
    plan: Plan,
    events: Iterable[Mapping[str, Any]],
    began: float,
    trains: Trains,
) -> Context:
    """The context with an eye on the clock; ``events`` tell what was done before."""
    settings = context.settings
    parts = parts_of(
        settings, plan.rounds, plan.train_epochs, plan.costs, trains, plan.ensemble, plan.variants
    )
    budget = Budget(
        parts,
        seconds=deadline(settings.time_budget or math.inf),
        began=began,
        measured=plan.seconds > 0,
        observer=context.observer,
        cuts=plan.cuts,
    )
    budget.replay(events)
    observer = context.observer
    if isinstance(observer, RunObserver):
        observer = replace(observer, budget=budget)
    return replace(context, pace=budget, observer=observer)
