"""Where everything of a drawing stands.

The flow goes down. Every vertex is a row: the pair (V_i, E_i) in the middle, its incoming node
operations to the left, its incoming relation operations to the right, one pill per link, one
above the other: so no two labels can meet. Wires run in tracks outside the pills
(`argnp.report.wiring`). Lengths are in px; ``u`` is the distance from the middle, to the left in
the node space and to the right in the relation space.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from argnp.arch.graph import IN0, IN1, Architecture
from argnp.arch.space import SpaceName
from argnp.report.typeset import operation_label, source_tag, text_width

PILL_HEIGHT: Final = 16.0
PILL_GAP: Final = 3.5
PILL_FONT: Final = 9.5
TAG_FONT: Final = 8.5
PAIR_HALF: Final = 31.0
PAIR_HEIGHT: Final = 25.0
FEED: Final = 17.0  # between the pills and the pair
LEAVE: Final = 5.5  # from the lowest thing of a row to the wires that leave it
GAP: Final = 9.0  # from those wires to the next row
COMPANION: Final = 3.4  # distance of the guidance from the wire it goes with
TRACK_FIRST: Final = 15.0
TRACK_STEP: Final = 9.5
MARGIN: Final = 14.0


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-parallel rectangle."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A pair: a vertex, an input (``number`` below 1) or the output (after the last vertex)."""

    number: int
    name: str
    centre: float
    bottom: float

    @property
    def leave(self) -> float:
        """Height at which wires leave the row."""
        return self.bottom + LEAVE


@dataclass(frozen=True, slots=True)
class Pill:
    """A link's operation: ``link`` counts within the vertex and space, as the architecture does."""

    space: SpaceName
    vertex: int
    link: int
    source: int
    operation: str | None
    label: str
    tag: str
    y: float  # of the middle


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Rows with their pills, before wires are laid."""

    rows: tuple[Row, ...]
    pills: tuple[Pill, ...]
    pill_width: dict[SpaceName, float]
    tag_width: float
    height: float

    def row(self, number: int) -> Row:
        return next(row for row in self.rows if row.number == number)


Order = dict[tuple[SpaceName, int], tuple[int, ...]]
"""Per space and vertex: link numbers from the top pill to the lowest."""


def merged_source(source: int, cells: int) -> int:
    """Without stacked cells both inputs are drawn as one."""
    return IN1 if cells == 1 and source == IN0 else source


def skeleton(architecture: Architecture, order: Order) -> Skeleton:
    """Rows from the top down; pills in the given order."""
    cells = architecture.cells
    y = MARGIN
    rows: list[Row] = []
    pills: list[Pill] = []
    inputs = (IN1,) if cells == 1 else (IN0, IN1)
    for source in inputs:
        rows.append(_row(source, source_tag(source, cells), y, PAIR_HEIGHT))
        y = rows[-1].leave + GAP
    for number, vertex in enumerate(architecture.vertices, start=1):
        most = max(len(vertex.links(space)) for space in architecture.space.names)
        height = max(PAIR_HEIGHT, most * (PILL_HEIGHT + PILL_GAP) - PILL_GAP)
        rows.append(_row(number, str(number), y, height))
        for space in architecture.space.names:
            pills.extend(_pills(architecture, space, rows[-1], order))
        y = rows[-1].leave + GAP
    rows.append(_row(len(architecture) + 1, "out", y + 4, PAIR_HEIGHT))
    tag_width = max(text_width(pill.tag, TAG_FONT) for pill in pills) + 8
    return Skeleton(
        rows=tuple(rows),
        pills=tuple(pills),
        pill_width={
            space: max(_label_width(pill) for pill in pills if pill.space == space) + tag_width
            for space in architecture.space.names
        },
        tag_width=tag_width,
        height=rows[-1].bottom + MARGIN,
    )


def _row(number: int, name: str, top: float, height: float) -> Row:
    return Row(number, name, top + height / 2, top + height)


def _label_width(pill: Pill) -> float:
    return max(text_width(pill.label, PILL_FONT), 26.0) + 11


def _pills(architecture: Architecture, space: SpaceName, row: Row, order: Order) -> Iterator[Pill]:
    links = architecture.vertex(row.number).links(space)
    step = PILL_HEIGHT + PILL_GAP
    top = row.centre - (len(links) - 1) * step / 2
    for place, position in enumerate(order[space, row.number]):
        link = links[position]
        yield Pill(
            space=space,
            vertex=row.number,
            link=position,
            source=merged_source(link.source, architecture.cells),
            operation=link.operation,
            label=operation_label(link.operation, space),
            tag=source_tag(link.source, architecture.cells),
            y=top + place * step,
        )
