"""What a command ends with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """``text`` for people, ``values`` for programs."""

    text: str
    values: dict[str, Any] = field(default_factory=dict)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns in plain text: the first one to the left, numbers to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
