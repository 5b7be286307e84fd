"""The observer of a run: the journal keeps what happens, the console shows it."""

from dataclasses import dataclass
from typing import Any

from argnp.runs.journal import Journal
from argnp.workflows.console import NEWS, Console
from argnp.workflows.pace import Budget

# After these, work is not done again: they have to outlive the machine, not only the process.
_LASTING = ("plan", "cut", "round-end", "train-end", "selected", "test")


@dataclass(frozen=True)
class RunObserver:
    """``journal`` None: nothing is kept. ``budget``: what knows how long it will still take."""

    console: Console
    journal: Journal | None = None
    budget: Budget | None = None

    def event(self, name: str, **fields: Any) -> None:
        if self.journal is not None:
            self.journal.append(name, sync=name in _LASTING, **fields)
        if self.budget is not None:
            self.budget.saw(name, fields)
        if name in NEWS:
            self.console.line(NEWS[name](fields))

    def progress(self, what: str, done: int, total: int, **shown: float) -> None:
        left = None if self.budget is None else self.budget.left()
        self.console.progress(what, done, total, left=left, **shown)
