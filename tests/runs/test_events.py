"""What may be written to a journal."""

import pytest

from argnp.runs import events
from argnp.runs.events import FIELDS, check_event, key_of


def test_the_docstring_lists_every_event_and_field() -> None:
    text = events.__doc__ or ""
    for event, fields in FIELDS.items():
        listed = text.split(f"\n{event} ", 1)[1].split("\n\n")[0]
        for field in fields:
            assert field in listed, (event, field)


def test_an_unknown_event_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown event 'epoch'; known: run-start, plan"):
        check_event("epoch", {})


def test_a_missing_field_is_named() -> None:
    with pytest.raises(ValueError, match="'selected' lacks rule, size"):
        check_event("selected", {"search": 0, "seed": 0})


def test_more_fields_are_welcome() -> None:
    check_event("run-end", {"seconds": 1.0, "attempt": 2})


def test_keys_tell_apart_what_differs_and_not_what_was_measured() -> None:
    first = {"event": "train-epoch", "search": 0, "size": 2, "seed": 0, "epoch": 1, "val_loss": 1.0}
    assert key_of(first) == key_of({**first, "val_loss": 2.0, "t": 5.0})
    for field in ("search", "size", "seed", "epoch"):
        assert key_of(first) != key_of({**first, field: 7})


def test_keys_take_any_json_value() -> None:
    hash(key_of({"event": "plan", "round": [1, {"a": 2}]}))
