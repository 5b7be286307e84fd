"""What a person sees of a run: a live display on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, TextIO

from argnp.arch.check import name_of


class Console(Protocol):
    """Where progress and news go."""

    def line(self, text: str) -> None: ...

    def progress(
        self, what: str, done: int, total: int, left: float | None = None, **shown: float
    ) -> None:
        """``left``: seconds that all of the run will still take, where they can be told."""
        ...

    def close(self) -> None: ...


class Quiet:
    """Shows nothing."""

    def line(self, text: str) -> None:
        pass

    def progress(
        self, what: str, done: int, total: int, left: float | None = None, **shown: float
    ) -> None:
        pass

    def close(self) -> None:
        pass


class Plain:
    """Log lines on standard error: every news, and progress every ``every`` seconds."""

    def __init__(self, stream: TextIO | None = None, every: float = 5.0) -> None:
        self.stream = stream or sys.stderr
        self.every = every
        self._last = 0.0
        self._started: dict[str, tuple[float, int]] = {}

    def line(self, text: str) -> None:
        print(text, file=self.stream, flush=True)

    def progress(
        self, what: str, done: int, total: int, left: float | None = None, **shown: float
    ) -> None:
        now = time.monotonic()
        began, first = self._started.setdefault(what, (now, done))
        if done < total and now - self._last < self.every:
            return
        self._last = now
        if done == total:  # what comes under this name again is another part
            del self._started[what]
        wait = (now - began) / max(done - first, 1) * (total - done)
        here = f", {duration(wait)} left" if done < total and done > first else ""
        self.line(f"{what}: epoch {done}/{total}, {numbers(shown)}{here}{overall(left)}")

    def close(self) -> None:
        pass


def console(*, quiet: bool) -> Console:
    """Nothing if ``quiet``, bars on a terminal, lines elsewhere."""
    if quiet:
        return Quiet()
    if not sys.stderr.isatty():
        return Plain()
    from argnp.workflows.live import Live

    return Live()


def numbers(shown: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in shown.items())


def overall(left: float | None) -> str:
    """How long the whole run will still take."""
    return "" if left is None else f", the run: about {duration(left)} left"


def duration(seconds: float) -> str:
    """``40 s``, ``3 min 20 s``, ``2 h 5 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole < 600 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _decision(fields: dict[str, Any]) -> str:
    letter = "V" if fields["space"] == "node" else "E"
    source, target = name_of(fields["source"]), fields["vertex"]
    when = f"epoch {fields['epoch']}" if fields["epoch"] else "by lot"
    return f"  {when}: {letter}{target} takes {fields['operation']} of {source}"


def _round_start(fields: dict[str, Any]) -> str:
    lasting = f" in {fields['epochs']} epochs" if fields["epochs"] else ""
    return (
        f"search {fields['search']}, round {fields['round']}: "
        f"to {fields['size']} vertices{lasting}, {fields['strategy']}"
    )


def _round_end(fields: dict[str, Any]) -> str:
    return (
        f"search {fields['search']}, round {fields['round']}: {fields['size']} vertices decided "
        f"in {duration(fields['seconds'])}"
    )


NEWS: dict[str, Callable[[dict[str, Any]], str]] = {
    "decision": _decision,
    "round-start": _round_start,
    "round-end": _round_end,
    "warning": lambda fields: f"warning: {fields['text']}",
    "plan": lambda fields: fields["reason"],
    "cut": lambda fields: fields["reason"],
}
