"""Commands as users type them, and what they leave behind."""

import json
import shlex
from pathlib import Path
from typing import Any

from argnp.cli.main import main
from argnp.runs.journal import read_journal


def done(capsys: Any, command: str) -> dict[str, Any]:
    """The JSON result of a command that succeeds."""
    code = main(shlex.split(command))
    told = capsys.readouterr()
    assert code == 0, told.err
    values: dict[str, Any] = json.loads(told.out.splitlines()[-1])
    return values


def refused(capsys: Any, command: str) -> str:
    """The one line that a command is refused with."""
    code = main(shlex.split(command))
    told: str = capsys.readouterr().err
    assert code == 2
    assert told.count("\n") == 1
    return told


def events(folder: Path, name: str) -> list[dict[str, Any]]:
    """The events of this name in the journal of a run."""
    return [e for e in read_journal(folder / "journal.jsonl").events if e["event"] == name]
