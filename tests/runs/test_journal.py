"""The journal survives what happens to journals."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.errors import UserError
from argnp.runs.journal import Journal, read_journal


def warn(journal: Journal, text: str) -> None:
    journal.append("warning", text=text)


def texts(path: Path) -> list[str]:
    return [event["text"] for event in read_journal(path).events]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def test_events_come_back_with_time_and_fields(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 12.5)
    with Journal(path) as journal:
        journal.append("run-end", seconds=3.0, sync=True)
        assert journal.events().events == ({"event": "run-end", "t": 12.5, "seconds": 3.0},)
    assert path.read_bytes() == b'{"event":"run-end","t":12.5,"seconds":3.0}\n'


def test_a_journal_that_is_not_there_is_empty(path: Path) -> None:
    assert read_journal(path).events == ()
    assert not path.exists()


def test_the_last_event_of_a_key_counts_and_stands_where_it_was_said_last(path: Path) -> None:
    with Journal(path) as journal:
        for seed, best in ((0, 5), (1, 6), (0, 7)):
            journal.append(
                "train-end",
                search=0,
                size=4,
                seed=seed,
                best_epoch=best,
                metrics={},
                seconds=1.0,
                peak_bytes=1,
            )
    assert [(e["seed"], e["best_epoch"]) for e in read_journal(path).events] == [(1, 6), (0, 7)]


def test_two_decisions_of_one_epoch_are_both_kept(path: Path) -> None:
    with Journal(path) as journal:
        for space in ("node", "relation"):
            journal.append(
                "decision",
                search=0,
                round=1,
                epoch=10,
                space=space,
                vertex=2,
                link=0,
                source=1,
                operation="V_SUM",
                score=0.5,
            )
    assert len(read_journal(path).events) == 2


def test_warnings_do_not_replace_each_other(path: Path) -> None:
    with Journal(path) as journal:
        warn(journal, "one")
        warn(journal, "two")
    assert texts(path) == ["one", "two"]


def test_numbers_of_other_packages_and_those_that_are_not_finite(path: Path) -> None:
    with Journal(path) as journal:
        journal.append("run-end", seconds=np.float32(0.5), size=np.int64(4), loss=float("nan"))
    event = read_journal(path).events[0]
    assert (event["seconds"], event["size"], event["loss"]) == (0.5, 4, None)


def test_what_json_cannot_hold_is_refused_and_writes_nothing(path: Path) -> None:
    with Journal(path) as journal:
        with pytest.raises(TypeError, match="cannot hold object"):
            journal.append("run-end", seconds=object())
        assert path.read_bytes() == b""


@settings(deadline=None, derandomize=True)
@given(cut=st.integers(min_value=1, max_value=39))
def test_a_torn_last_line_is_dropped_wherever_it_was_torn(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("torn") / "journal.jsonl"
    with Journal(path) as journal:
        warn(journal, "first")
    whole = path.read_bytes()
    path.write_bytes(whole + whole.replace(b"first", b"torn!")[:cut])
    reading = read_journal(path)
    assert [event["text"] for event in reading.events] == ["first"]
    assert reading.warnings == ()
    assert path.stat().st_size == len(whole) + cut, "reading changes nothing"
    with Journal(path) as journal:
        warn(journal, "second")
    assert texts(path) == ["first", "second"]


@pytest.mark.parametrize(
    "damage",
    [
        b"\x00" * 20,
        b'{"event": "warn',
        b"[1]",
        b'{"t": 1}',
        b'{"event": 3}',
        b"\xff\xfe",
        b"",
        b"\r",
    ],
)
def test_a_damaged_line_in_the_middle_is_passed_over_with_a_warning(
    path: Path, damage: bytes
) -> None:
    with Journal(path) as journal:
        warn(journal, "first")
    path.write_bytes(path.read_bytes() + damage + b"\n")
    with Journal(path) as journal:
        warn(journal, "last")
    assert texts(path) == ["first", "last"]
    assert read_journal(path).warnings == ("journal.jsonl, line 2: damaged, passed over",)


def test_an_event_of_a_later_version_is_handed_on(path: Path) -> None:
    path.write_bytes(b'{"event":"new-thing","t":1,"x":2}\n')
    assert read_journal(path).events == ({"event": "new-thing", "t": 1, "x": 2},)


def disk_full(_descriptor: int, *_: Any) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def writing_half() -> Callable[[int, bytes], int]:
    """A disk on which half a line finds room."""
    real, calls = os.write, iter(range(10))

    def write(descriptor: int, content: bytes) -> int:
        if next(calls):
            disk_full(descriptor)
        return real(descriptor, content[: len(content) // 2])

    return write


@pytest.mark.parametrize("function", ["write", "fsync"])
def test_a_full_disk_leaves_whole_lines_and_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    with Journal(path) as journal:
        warn(journal, "kept")
        with monkeypatch.context() as patch:
            patch.setattr(os, function, writing_half() if function == "write" else disk_full)
            with pytest.raises(UserError, match=r"journal\.jsonl: the disk is full"):
                journal.append("warning", text="lost", sync=True)
        warn(journal, "after")
    assert texts(path) == ["kept", "after"]
    assert read_journal(path).warnings == ()


def test_a_write_that_takes_only_part_at_a_time_is_finished(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: real(descriptor, content[:7]))
    with Journal(path) as journal:
        warn(journal, "x" * 50)
    assert texts(path) == ["x" * 50]


WRITE = """
import sys
from pathlib import Path
from argnp.runs.journal import Journal
with Journal(Path(sys.argv[1])) as journal:
    for number in range(10**9):
        journal.append("warning", text=f"{number} " + "x" * 5000)
        if number == 20:
            print("writing", flush=True)
"""


def test_kill_9_while_writing_costs_no_line_but_the_last(path: Path) -> None:
    command = [sys.executable, "-c", WRITE, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    with Journal(path) as journal:
        warn(journal, "after")
    reading = read_journal(path)
    numbers = [int(event["text"].split()[0]) for event in reading.events[:-1]]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) > 20
    assert reading.warnings == ()


def test_an_interrupt_in_the_middle_of_a_line_leaves_whole_lines(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = os.write, iter(range(10))

    def write(descriptor: int, content: bytes) -> int:
        if next(calls):
            raise KeyboardInterrupt
        return real(descriptor, content[:5])

    with Journal(path) as journal:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", write)
            with pytest.raises(KeyboardInterrupt):
                warn(journal, "lost")
        warn(journal, "kept")
    assert texts(path) == ["kept"]
    assert read_journal(path).warnings == ()
