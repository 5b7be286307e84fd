"""Which plan a run follows: the one it began with, another run's, or a new one."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from argnp.errors import UserError
from argnp.workflows.context import Context
from argnp.workflows.given_plan import journaled, taken_over
from argnp.workflows.parts import Trains
from argnp.workflows.plan import Plan
from argnp.workflows.planning import make_plan


def plan_for(
    context: Context,
    events: Iterable[Mapping[str, Any]],
    began: float,
    trains: Trains,
    *,
    given: bool,
) -> Plan:
    """The journaled plan, or a new one: a run that goes on keeps the plan it began with.

    ``given``: architectures that were found before lie in the folder. The training of what a
    search has found here gets a plan of its own, too: under a budget it has all of that, and a
    plan that is given may tell of a training as well.
    """
    settings = context.settings
    assert context.folder is not None
    try:
        plan = journaled(events, trains)
    except msgspec.ValidationError as error:
        raise UserError(
            f"{context.folder.journal}: its plan is damaged ({error}); put it back, or choose "
            "another folder with -o"
        ) from None
    searched = plan is not None and plan.trains == "none" != trains
    if plan is not None and not (searched and (settings.time_budget or settings.plan)):
        return plan
    laid_out = _laid_out(context) if given or searched else None
    if plan is not None and laid_out != len(plan.rounds):
        raise UserError(
            f"{context.folder.path}: the search there has not ended; run its own command "
            "again to let it end, or choose another folder with -o"
        )
    plan = new_plan(context, began, trains, laid_out)
    context.observer.event("plan", **msgspec.to_builtins(plan))
    return plan


def new_plan(context: Context, began: float, trains: Trains, laid_out: int | None) -> Plan:
    """That of another run, where one is named, else one of its own."""
    if context.settings.plan is not None:
        return taken_over(context, trains, laid_out)
    return make_plan(context, began, trains, laid_out=laid_out)


def _laid_out(context: Context) -> int:
    """Rounds whose architectures lie in the folder, of every search."""
    count = 0
    while context.folder is not None and all(
        context.folder.architecture(search, count).exists()
        for search in range(context.settings.searches)
    ):
        count += 1
    return count
