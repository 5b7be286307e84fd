"""The journal of a run: one JSON object per line, only ever appended to.

Events and their fields are listed in ``events.py``. A number that is not finite is written as
null. A line that was being written when the process died is dropped when the run goes on.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from argnp.runs.events import check_event, key_of
from argnp.runs.files import clear_disk_errors


@dataclass(frozen=True)
class Reading:
    """Events that count, in order of writing, and a line for each damage that was passed over."""

    events: tuple[dict[str, Any], ...]
    warnings: tuple[str, ...]


class Journal:
    """Appends events to a file. One process may hold a journal at a time: see the run's lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with clear_disk_errors(path):
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            self._descriptor = os.open(path, flags, 0o666)
            os.ftruncate(self._descriptor, _whole_lines(path.read_bytes()))

    def append(self, event: str, *, sync: bool = False, **fields: Any) -> None:
        """Add an event; with ``sync`` it is on the disk when this returns."""
        check_event(event, fields)
        entry = {"event": event, "t": time.time(), **fields}
        line = memoryview(msgspec.json.encode(entry, enc_hook=_plain) + b"\n")
        before = os.fstat(self._descriptor).st_size
        with clear_disk_errors(self.path):
            try:
                while line:
                    line = line[os.write(self._descriptor, line) :]
                if sync:
                    os.fsync(self._descriptor)
            except BaseException:  # Ctrl-C included: half a line would spoil the next one
                os.ftruncate(self._descriptor, before)
                raise

    def events(self) -> Reading:
        """What has been written so far, by this process and by those before it."""
        return read_journal(self.path)

    def close(self) -> None:
        """Give the file back; the journal cannot be used after that."""
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_journal(path: Path) -> Reading:
    """Read a journal, also one that is being written to; the file is not changed."""
    content = path.read_bytes() if path.exists() else b""
    latest: dict[tuple[tuple[str, str], ...], dict[str, Any]] = {}
    warnings = []
    for number, line in enumerate(content.split(b"\n")[:-1], start=1):
        event = _parse(line)
        if event is None:
            warnings.append(f"{path.name}, line {number}: damaged, passed over")
            continue
        key = key_of(event)
        latest.pop(key, None)  # so that the event moves to the place where it was said last
        latest[key] = event
    return Reading(tuple(latest.values()), tuple(warnings))


def _whole_lines(content: bytes) -> int:
    """Bytes up to the end of the last line that is finished."""
    return content.rfind(b"\n") + 1


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        event = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    known = isinstance(event, dict) and isinstance(event.get("event"), str)
    return event if known else None


def _plain(value: Any) -> Any:
    """Scalars of the numerical packages, by their common method."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a journal cannot hold {type(value).__name__}")
