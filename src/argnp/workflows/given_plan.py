"""The plan of another run, or of this one before: its epochs, and what the clock cut of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from argnp.errors import UserError
from argnp.proliferate.rounds import RoundPlan, plan_rounds
from argnp.runs.folder import RunFolder
from argnp.runs.journal import read_journal
from argnp.workflows.context import Context
from argnp.workflows.cuts import Cut
from argnp.workflows.fits import check_memory
from argnp.workflows.measure import Costs
from argnp.workflows.parts import Trains
from argnp.workflows.plan import Plan, told
from argnp.workflows.variants import variants_for

_TRAINS = {
    "every": "trains every size",
    "last": "trains the last size alone",
    "none": "is of a search alone",
}

# Settings that parts of a run follow from; the last one only where every size is trained.
_SHAPE = ("size", "proliferate", "searches", "seeds", "ensemble")


def journaled(events: Iterable[Mapping[str, Any]], trains: Trains) -> Plan | None:
    """The plan that a journal holds, of a run that trains the same sizes if there is one."""
    plans = [
        msgspec.convert({k: event[k] for k in Plan.__struct_fields__ if k in event}, Plan)
        for event in events
        if event["event"] == "plan"
    ]
    exact = [plan for plan in plans if plan.trains == trains]
    return exact[-1] if exact else plans[-1] if plans else None


def taken_over(context: Context, trains: Trains, laid_out: int | None) -> Plan:
    """The plan of the run that ``--plan`` names, checked against these settings.

    ``laid_out``: rounds whose architectures lie in the folder; None where they are searched.
    """
    run = context.settings.plan
    assert run is not None
    plan, theirs = _read(Path(run), trains)
    settings = context.settings
    rounds = plan_rounds(
        settings.size, context.space, settings.search, proliferate=settings.proliferate
    )[:laid_out]
    searched = laid_out is None
    wrong = next(_mismatches(context, plan, theirs, rounds, trains, searched=searched), None)
    if wrong is not None:
        raise UserError(
            f"--plan {run}: {wrong}; give the settings of that run too, or a --time-budget in "
            "place of its plan"
        )
    taken = [r if laid_out is None else replace(r, epochs=0) for r in plan.rounds]
    check_memory(context, taken)
    words = told(taken, plan.train_epochs, trains, plan.ensemble, plan.variants)
    reason = f"{words}: the plan of {run}"
    # Of a whole plan, a search takes its own part: what it finds is trained with a plan of its own.
    return msgspec.structs.replace(
        plan, rounds=taken, trains=trains, run=run, seconds=0.0, reason=reason
    )


def _read(run: Path, trains: Trains) -> tuple[Plan, Mapping[str, Any]]:
    """The plan in the journal of a run folder, or of the one that a ``model/`` is of; with the
    settings of that run."""
    found = (RunFolder(path).journal for path in (run, run.parent))
    journal = next((path for path in found if path.exists() and run.is_dir()), None)
    if journal is None:
        raise UserError(f"--plan {run}: no run there; name the folder of a run that has ended")
    events = read_journal(journal).events
    try:
        plan, search = journaled(events, trains), journaled(events, "none")
        cuts = [
            msgspec.convert({k: event[k] for k in Cut.__struct_fields__ if k in event}, Cut)
            for event in events
            if event["event"] == "cut"
        ]
    except msgspec.ValidationError as error:
        raise UserError(f"--plan {run}: its plan is damaged: {error}") from None
    if plan is None or search is None:
        raise UserError(f"--plan {run}: no plan in its journal; name a run that got so far")
    # A search may have ended there, and the training that has a plan of its own be under way.
    told_last = [event["event"] for event in events if event["event"] in ("plan", "run-end")][-1]
    if told_last != "run-end":
        raise UserError(
            f"--plan {run}: has not ended, so its plan may still be cut; "
            "run its own command again to let it end"
        )
    known = {cut.key for cut in cuts}
    cuts += [cut for cut in plan.cuts if cut.key not in known]
    started = next((event for event in events if event["event"] == "run-start"), {})
    # Where a search was followed by a training with a plan of its own, the two are one whole.
    whole = msgspec.structs.replace(
        plan,
        rounds=search.rounds[: len(plan.rounds)],
        costs=Costs(search.costs.search, plan.costs.train),
        cuts=cuts,
    )
    return whole, started.get("settings", {})


def _mismatches(
    context: Context,
    plan: Plan,
    theirs: Mapping[str, Any],
    rounds: list[RoundPlan],
    trains: Trains,
    *,
    searched: bool,
) -> Iterator[str]:
    """What of the plan these settings have no use for, the plainest first.

    ``theirs``: settings of the run whose plan it is.
    """
    settings = context.settings
    for name in _SHAPE if trains == "every" else _SHAPE[:-1]:
        ours = getattr(settings, name)
        if theirs.get(name, ours) != ours:
            yield f"{name} is {theirs[name]} there and {ours} here"
    if trains not in (plan.trains, "none"):
        yield f"its plan {_TRAINS[plan.trains]}, this command {_TRAINS[trains]}"
    sizes = [planned.vertices for planned in plan.rounds]
    wanted = [full.vertices for full in rounds]
    if not sizes or sizes != wanted[: len(sizes)] or len(plan.costs.train) != len(sizes):
        lead = f"its rounds lead to {_listed(sizes)} vertices"
        yield f"{lead}, those of these settings to {_listed(wanted)}"
    if searched:
        for planned, full in zip(plan.rounds, rounds, strict=False):
            if planned.strategy != full.strategy:
                yield f"it searches by {planned.strategy}, these settings by {full.strategy}"
            if bool(planned.epochs) != bool(full.epochs):
                yield f"it does not search the round to {planned.vertices} vertices"
            if not 0 <= planned.epochs <= full.epochs:
                yield (
                    f"it searches to {planned.vertices} vertices in {planned.epochs} epochs, "
                    f"these settings in {full.epochs} at most"
                )
    most = settings.train.epochs
    if trains != "none" and not 0 < plan.train_epochs <= most:
        yield f"it trains for {plan.train_epochs} epochs, these settings for {most} at most"
    known = variants_for(settings, context.dataset.schema.task)
    more = [name for name in plan.variants if name not in known]
    if trains == "every" and more:
        yield f"it trains the variant {more[0]}, which these settings do not"


def _listed(sizes: list[int]) -> str:
    return ", ".join(map(str, sizes)) or "no"
