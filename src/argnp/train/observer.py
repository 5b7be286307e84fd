"""Who is told what happens while networks are searched and trained."""

from typing import Any, Protocol


class Observer(Protocol):
    """Takes events (for the journal) and progress (for the terminal)."""

    def event(self, name: str, **fields: Any) -> None:
        """Something to be kept; the names and fields are the journal's."""
        ...

    def progress(self, what: str, done: int, total: int, **shown: float) -> None:
        """``done`` of ``total`` epochs of ``what``; ``shown`` are numbers worth a glance."""
        ...


class Silent:
    """Keeps and shows nothing."""

    def event(self, name: str, **fields: Any) -> None:
        pass

    def progress(self, what: str, done: int, total: int, **shown: float) -> None:
        pass
