"""The pieces sections are made of: what the page's template knows how to write."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """Rows of text; columns in ``words`` are words, the others numbers set to the right.

    ``strong`` rows stand out.
    """

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: frozenset[int] = frozenset({0})
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Chart:
    """A picture with its key (name, CSS class) and the numbers behind it."""

    title: str
    svg: str
    table: Table
    key: Sequence[tuple[str, str]] = field(default_factory=tuple)
