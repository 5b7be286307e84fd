"""How far a long reading of data is, on standard error."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int], None]  # done, of how many

EVERY = 5.0  # seconds between lines, where there is no terminal


@contextmanager
def reading(what: str, *, quiet: bool) -> Iterator[Progress | None]:
    """What is told of the progress: a bar on a terminal, now and then a line elsewhere."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _bar(what) as told:
            yield told
    else:
        yield _lines(what)


@contextmanager
def _bar(what: str) -> Iterator[Progress]:
    """Seen from the first news on: what was kept from an earlier run takes no time."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=10), MofNCompleteColumn())
    screen = Console(stderr=True)
    with Bars(*columns, TimeRemainingColumn(), console=screen, transient=True) as bars:
        task = bars.add_task(what, total=None, visible=False)
        yield lambda done, total: bars.update(task, completed=done, total=total, visible=True)


def _lines(what: str) -> Progress:
    last = time.monotonic()

    def told(done: int, total: int) -> None:
        nonlocal last
        if done < total and time.monotonic() - last >= EVERY:
            last = time.monotonic()
            print(f"{what}: {done:,} of {total:,}", file=sys.stderr, flush=True)

    return told
