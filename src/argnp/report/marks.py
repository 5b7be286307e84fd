"""What stands in a drawing besides wires: the pills of operations and the pairs of vertices."""

from argnp.arch.space import SpaceName
from argnp.arch.vocabulary import PARAMETER_FREE
from argnp.report.curves import bend, number
from argnp.report.geometry import Geometry
from argnp.report.layout import (
    COMPANION,
    PAIR_HALF,
    PAIR_HEIGHT,
    PILL_FONT,
    PILL_HEIGHT,
    TAG_FONT,
    Box,
    Pill,
    Row,
)
from argnp.report.palette import Role, light, stream, tint
from argnp.report.shapes import circle, path, rectangle, said, words
from argnp.report.typeset import subscripted

LINE = 1.7
DASH = 'stroke-dasharray="5 3"'
_RING = 3.5
_LETTER = 12.0


def key(pill: Pill) -> str:
    """How scripts find a link: space, vertex, position among the vertex's links."""
    return f"{pill.space}-{pill.vertex}-{pill.link}"


def pill_mark(geometry: Geometry, pill: Pill, guided: bool) -> str:
    """The operation with its source and its way into the vertex."""
    box, tag = geometry.pill_box(pill), geometry.tag_box(pill)
    inner, end = geometry.pill_start(), geometry.pill_end(pill.space)
    own = stream(pill.space)
    feed = bend(
        geometry.at(pill.space, inner, pill.y),
        geometry.at(pill.space, PAIR_HALF, geometry.frame.row(pill.vertex).centre),
    )
    mixture = pill.operation is None
    plain = mixture or pill.operation in PARAMETER_FREE
    dash = DASH if mixture else ""
    ground: Role = "ground" if plain else tint(pill.space)
    label_x = geometry.at(pill.space, (inner + end - tag.width) / 2, 0)[0]
    label_y = pill.y + PILL_FONT * 0.36
    ink: Role = "quiet" if mixture else "ink"
    slant = 'font-style="italic"' if mixture else ""
    told = f"{pill.operation or 'undecided mixture'} from {pill.tag} to {pill.vertex}"
    parts = [
        f"<title>{said(told)}</title>",
        path(feed, own, LINE, dash),
        rectangle(box, PILL_HEIGHT / 2, ground, own if plain else None, dash),
        rectangle(tag, PILL_HEIGHT / 2, own),
        _in_bold(tag, pill.tag),
        words(label_x, label_y, said(pill.label), PILL_FONT, ink, slant),
    ]
    if guided:
        x = geometry.at(pill.space, end + 0.6, 0)[0]
        parts.append(circle(x, pill.y - COMPANION, 2.3, _other(pill.space), "ground"))
    return f'<g class="link" data-link="{key(pill)}">{"".join(parts)}</g>'


def pair_mark(geometry: Geometry, row: Row, *, relations: bool, new: bool) -> str:
    """The vertex: V in the node stream's colour, E in the relation stream's."""
    box = geometry.pair_box(row.centre)
    radius = PAIR_HEIGHT / 2
    parts = []
    if new:
        ring = Box(box.x - _RING, box.y - _RING, box.width + 2 * _RING, box.height + 2 * _RING)
        parts.append(rectangle(ring, radius + _RING, "ground", "ink", 'stroke-width="1.4"'))
    if relations:
        parts.append(rectangle(box, radius, "ground"))
        parts += [_half(geometry, box, space) for space in ("node", "relation")]
        parts.append(_letter(geometry.middle - 14.5, row, "V"))
        parts.append(_letter(geometry.middle + 14.5, row, "E"))
    else:
        parts += [rectangle(box, radius, "node"), _letter(geometry.middle, row, "V")]
    kind = "pair new" if new else "pair"
    return f'<g class="{kind}" data-vertex="{said(row.name)}">{"".join(parts)}</g>'


def _letter(x: float, row: Row, letter: str) -> str:
    return words(
        x, row.centre + _LETTER * 0.3, subscripted(letter, row.name, _LETTER), _LETTER, "ground"
    )


def _half(geometry: Geometry, box: Box, space: str) -> str:
    """Half of a pair: round outside, straight where the halves meet."""
    radius = box.height / 2
    sign = -1 if space == "node" else 1
    near = geometry.middle + sign * 0.75
    edge = geometry.middle + sign * (PAIR_HALF - radius)
    role, sweep = stream(space), 0 if space == "node" else 1
    low = number(box.y + box.height)
    return (
        f'<path class="f-{role}" fill="{light(role)}" '
        f'd="M{number(near)} {number(box.y)}H{number(edge)}'
        f"A{number(radius)} {number(radius)} 0 0 {sweep} {number(edge)} {low}"
        f'H{number(near)}Z"/>'
    )


def _other(space: SpaceName) -> Role:
    return stream("relation" if space == "node" else "node")


def _in_bold(box: Box, text: str) -> str:
    x, y = box.x + box.width / 2, box.y + box.height / 2 + TAG_FONT * 0.36
    return words(x, y, said(text), TAG_FONT, "ground", 'font-weight="700"')
