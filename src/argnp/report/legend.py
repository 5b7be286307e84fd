"""The legend under a drawing: what its signs mean, in as many rows as the width asks for."""

from collections.abc import Callable
from dataclasses import dataclass

from argnp.arch.graph import Architecture
from argnp.report.curves import number
from argnp.report.describe import cells_note
from argnp.report.layout import Box
from argnp.report.palette import Role, light
from argnp.report.shapes import dotted, path, rectangle, said, words
from argnp.report.typeset import text_width

_FONT = 9.0
_ROW = 16.0
_SAMPLE = 20.0
_SPACE = 12.0


@dataclass(frozen=True, slots=True)
class _Entry:
    sample: Callable[[float, float], str]  # x of its left end, y of its middle
    text: str
    indent: float = _SAMPLE + 5

    @property
    def width(self) -> float:
        return self.indent + text_width(self.text, _FONT)


def legend(architecture: Architecture, width: float, top: float) -> tuple[str, float]:
    """Markup of the legend, centred in ``width`` below ``top``, and the height it takes."""
    rows: list[list[_Entry]] = [[]]
    for entry in _entries(architecture):
        taken = sum(one.width + _SPACE for one in rows[-1])
        if rows[-1] and taken + entry.width > width - 2 * _SPACE:
            rows.append([])
        rows[-1].append(entry)
    parts = []
    for index, row in enumerate(rows):
        x = (width - sum(entry.width + _SPACE for entry in row) + _SPACE) / 2
        y = top + _ROW * (index + 0.5)
        for entry in row:
            parts.append(entry.sample(x, y))
            place = f'text-anchor="start" x="{number(x + entry.indent)}"'
            if not entry.indent:  # the width is an estimate: a line of its own is centred exactly
                place = f'text-anchor="middle" x="{number(x + entry.width / 2)}"'
            parts.append(
                f'<text class="f-quiet" fill="{light("quiet")}" font-size="{number(_FONT)}" '
                f'y="{number(y + 3)}" {place}>{said(entry.text)}</text>'
            )
            x += entry.width + _SPACE
    return f'<g class="legend">{"".join(parts)}</g>', _ROW * len(rows)


def _entries(architecture: Architecture) -> list[_Entry]:
    relations = architecture.space.relations
    entries = [_Entry(lambda x, y: _line(x, y, "node", 1.7), "node stream V")]
    if relations:
        entries.append(_Entry(lambda x, y: _line(x, y, "relation", 1.7), "relation stream E"))
    entries.append(_Entry(_tag, "source vertex"))
    if relations:
        entries.append(_Entry(_guides, "guided by the other stream"))
    if not architecture.decided:
        entries.append(_Entry(_mixture, "undecided"))
    entries.append(_Entry(lambda x, y: _line(x + 2, y, "line", 5), "read by the output"))
    if note := cells_note(architecture):
        entries.append(_Entry(lambda x, y: "", note, indent=0))
    return entries


def _line(x: float, y: float, role: Role, thickness: float) -> str:
    return path(f"M{number(x)} {number(y)}H{number(x + _SAMPLE)}", role, thickness)


def _guides(x: float, y: float) -> str:
    dots = dotted(f"M{number(x)} {number(y - 2)}H{number(x + _SAMPLE)}", "relation")
    return _line(x, y + 1.5, "node", 1.7) + dots


def _tag(x: float, y: float) -> str:
    box = Box(x + 4, y - 6, 16, 12)
    return rectangle(box, 6, "quiet") + words(
        x + 12, y + 2.8, "3", 8, "ground", 'font-weight="700"'
    )


def _mixture(x: float, y: float) -> str:
    box = Box(x, y - 5.5, _SAMPLE, 11)
    return rectangle(box, 5.5, "ground", "quiet", 'stroke-dasharray="2.5 2"')
