"""What a journal can say: the events, and what each one carries.

Besides the fields below every event has ``event``, its name, and ``t``, seconds since 1970.
``search`` numbers the independent searches, ``round`` the rounds of one, ``size`` is the number
of vertices, ``seed`` that of a training; more fields than these may be there.

run-start     settings, fingerprint of the data, kernels, version
plan          rounds [{vertices, epochs}], train_epochs, reason; of another run: run, its folder
cut           search, epochs, reason; with round, or with size, seed and variant: which part had
              so few epochs for want of time, 0 where it was left out
round-start   search, round, size, architecture (undecided links included), parameters
search-epoch  search, round, epoch, loss, alpha_loss, val_metric or null, seconds,
              alphas {"node": [[vertex, link, [probability, ..]], ..], "relation": [..]}
decision      search, round, epoch, space, vertex, link, source, operation, score
round-end     search, round, size, architecture, seconds, peak_bytes
train-start   search, size, seed, parameters; here and below with ``variant`` where the training
              differs from the settings in widths or regularisation
train-epoch   search, size, seed, epoch, lr, train_loss, val_loss, val_metric, seconds
train-end     search, size, seed, best_epoch, metrics {name: value}, seconds, peak_bytes
selected      search, size, seed, rule
test          search, size, seed, metrics {name: value}
warning       text
run-end       seconds

Two events with the same ``KEY`` fields tell of the same thing, and the later one counts: work
that is done again after an interruption replaces what was said of it before.
"""

from collections.abc import Mapping
from typing import Any, Final

FIELDS: Final[Mapping[str, frozenset[str]]] = {
    event: frozenset(fields.split())
    for event, fields in {
        "run-start": "settings fingerprint kernels version",
        "plan": "rounds train_epochs reason",
        "cut": "search epochs reason",
        "round-start": "search round size architecture parameters",
        "search-epoch": "search round epoch loss alpha_loss val_metric seconds alphas",
        "decision": "search round epoch space vertex link source operation score",
        "round-end": "search round size architecture seconds peak_bytes",
        "train-start": "search size seed parameters",
        "train-epoch": "search size seed epoch lr train_loss val_loss val_metric seconds",
        "train-end": "search size seed best_epoch metrics seconds peak_bytes",
        "selected": "search size seed rule",
        "test": "search size seed metrics",
        "warning": "text",
        "run-end": "seconds",
    }.items()
}

KEY: Final = (
    "event",
    "search",
    "round",
    "size",
    "seed",
    "variant",
    "epoch",
    "vertex",
    "link",
    "space",
    "trains",
    "text",
)


def check_event(event: str, fields: Mapping[str, Any]) -> None:
    """Refuse an event that a reader of the journal would not understand."""
    if event not in FIELDS:
        raise ValueError(f"unknown event {event!r}; known: {', '.join(FIELDS)}")
    missing = FIELDS[event] - fields.keys()
    if missing:
        raise ValueError(f"event {event!r} lacks {', '.join(sorted(missing))}")


def key_of(event: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """What the event tells of; values as text, so that any JSON value can stand there."""
    return tuple((field, repr(event[field])) for field in KEY if field in event)
