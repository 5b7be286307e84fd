"""The plan that a run has begun with."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from argnp.workflows.parts import Trains
from argnp.workflows.plan import Plan


def journaled(events: Iterable[Mapping[str, Any]], trains: Trains) -> Plan | None:
    """The plan that a journal holds, of a run that trains the same sizes if there is one."""
    plans = [
        msgspec.convert({k: event[k] for k in Plan.__struct_fields__ if k in event}, Plan)
        for event in events
        if event["event"] == "plan"
    ]
    exact = [plan for plan in plans if plan.trains == trains]
    return exact[-1] if exact else plans[-1] if plans else None
