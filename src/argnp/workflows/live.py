"""Progress bars and news on a terminal."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console as RichConsole
from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from argnp.workflows.console import numbers, overall


class Live:
    """What is going on, in two lines: how far it is, and what it has reached."""

    def __init__(self) -> None:
        self.bars = _Bars(
            TextColumn("{task.description}"),
            BarColumn(bar_width=10),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=RichConsole(stderr=True),
            transient=True,
        )
        self.tasks: dict[str, Any] = {}
        self.bars.start()

    def line(self, text: str) -> None:
        self.bars.print(text, markup=False, highlight=False)

    def progress(
        self, what: str, done: int, total: int, left: float | None = None, **shown: float
    ) -> None:
        if what not in self.tasks:
            self.tasks[what] = self.bars.add_task(what, total=total, shown="")
        task = self.tasks[what]
        self.bars.update(task, completed=done, total=total, shown=numbers(shown) + overall(left))
        if done >= total:
            # What comes under this name again is another part, with a bar of its own.
            self.bars.remove_task(self.tasks.pop(what))
            self.line(f"{what}: {total} epochs, {numbers(shown)}")

    def close(self) -> None:
        self.bars.stop()


class _Bars(Progress):
    """A second line below each bar: beside it, a terminal of 80 columns has no room for numbers."""

    def get_renderables(self) -> Iterable[RenderableType]:
        for task in self.tasks:
            if task.visible:
                yield self.make_tasks_table([task])
                yield Text(f"  {task.fields['shown']}", no_wrap=True, overflow="ellipsis")
