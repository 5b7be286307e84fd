"""A graph, or a molecule, with its nodes and relations shaded by how much they mattered."""

from collections.abc import Sequence
from math import cos, hypot, sin
from statistics import median
from typing import Final

from argnp.report.curves import Point, number
from argnp.report.numbers import figure
from argnp.report.palette import Role, dark_rules, light
from argnp.report.shapes import said

_W: Final = 300.0
_H: Final = 220.0
_EDGE: Final = 20.0
_BOND: Final = 34.0  # usual length of a relation that a drawing is blown up to
_SMALL: Final = 40  # nodes, up to which it is not blown up further
_SEEN: Final = 0.02  # share of the strongest importance, under which nothing is drawn
_NAMED: Final = 300  # nodes and relations, up to which each tells its number when pointed at
_YAW, _PITCH = 0.6, 0.35  # from where places in space are seen
_PARALLEL: Final = 3.0  # between the lines of a double bond

Positions = Sequence[Sequence[float]]


def picture(
    positions: Positions,
    pairs: Sequence[Sequence[int]],
    *,
    labels: Sequence[str] = (),
    orders: Sequence[float] = (),
    nodes: Sequence[float] = (),
    relations: Sequence[float] = (),
    marked: Sequence[int] = (),
    told: str = "",
) -> str:
    """SVG text; hidden from screen readers unless ``told`` says what it is.

    With ``labels`` it is a molecule, in which carbon that is bound goes without saying;
    ``orders`` are those of its bonds. ``relations`` may be empty. ``marked`` nodes get a ring.
    """
    points = _fit(positions, pairs)
    most = max(map(abs, [*nodes, *relations]), default=0.0) or 1.0
    bound = {end for pair in pairs for end in pair}
    written = {
        index: label for index, label in enumerate(labels) if label != "C" or index not in bound
    }
    named = len(points) + len(pairs) <= _NAMED
    halo = 11.0 if labels else 6.5 if named else 3.2
    names = [node_name(index, labels) for index in range(len(points))]
    lines = [(points[s], points[t]) for s, t in pairs]
    parts = [
        _shaded(lines, relations, most, [f"{names[s]} to {names[t]}" for s, t in pairs], named),
        _lines(lines, orders, thin=not named),
        "" if labels else _dots(points, thin=not named),
        *(_clearing(points[index], label) for index, label in written.items()),
        _halos(points, nodes, most, halo, names, named),
        *(_ring(points[index], halo + 2) for index in marked),
        *(_label(points[index], label) for index, label in written.items()),
    ]
    head = f'role="img" aria-label="{said(told)}"' if told else 'aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="explained" {head} '
        f'viewBox="0 0 {number(_W)} {number(_H)}" font-family="sans-serif">'
        f"<style>{dark_rules('.explained')}</style>"
        f'<rect class="f-ground" width="100%" height="100%" fill="{light("ground")}"/>'
        f"{''.join(parts)}</svg>"
    )


def _shaded(
    lines: Sequence[tuple[Point, Point]],
    values: Sequence[float],
    most: float,
    names: Sequence[str],
    named: bool,
) -> str:
    parts = []
    for (start, end), value, name in zip(lines, values, names, strict=False):
        share = abs(value) / most
        if share >= _SEEN:
            width = (2 + 9 * share) * (1.0 if named else 0.4)
            parts.append(
                f'<path {_stroke(_role(value))} d="M{_at(start)}L{_at(end)}" '
                f'stroke-width="{number(width)}" opacity="{share:.2f}">'
                f"{_tip(name, value, named)}</path>"
            )
    return f'<g fill="none" stroke-linecap="round">{"".join(parts)}</g>'


def _lines(lines: Sequence[tuple[Point, Point]], orders: Sequence[float], *, thin: bool) -> str:
    data = []
    for index, (start, end) in enumerate(lines):
        order = round(orders[index]) if index < len(orders) else 1
        length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
        across = ((start[1] - end[1]) / length, (end[0] - start[0]) / length)
        for track in range(order):
            off = _PARALLEL * (track - (order - 1) / 2)
            x, y = across[0] * off, across[1] * off
            data.append(f"M{_at((start[0] + x, start[1] + y))}L{_at((end[0] + x, end[1] + y))}")
    return (
        f'<path {_stroke("quiet")} fill="none" stroke-width="{0.3 if thin else 1.4}" '
        f'opacity="{0.35 if thin else 1}" d="{"".join(data)}"/>'
    )


def _dots(points: Sequence[Point], *, thin: bool) -> str:
    radius = 1.1 if thin else 2.6
    circles = "".join(f'<circle {_centre(at)} r="{radius}"/>' for at in points)
    return f'<g {_fill("quiet")} opacity="{0.5 if thin else 1}">{circles}</g>'


def _halos(
    points: Sequence[Point],
    values: Sequence[float],
    most: float,
    radius: float,
    names: Sequence[str],
    named: bool,
) -> str:
    parts = []
    for at, value, name in zip(points, values, names, strict=False):
        share = abs(value) / most
        if share >= _SEEN:
            parts.append(
                f'<circle {_fill(_role(value))} {_centre(at)} r="{number(radius)}" '
                f'opacity="{0.75 * share:.2f}">{_tip(name, value, named)}</circle>'
            )
    return "".join(parts)


def _clearing(at: Point, label: str) -> str:
    """Bonds end where a label begins."""
    wide = 4.0 + 3.2 * len(label)
    return (
        f'<rect {_fill("ground")} x="{number(at[0] - wide)}" y="{number(at[1] - 8)}" '
        f'width="{number(2 * wide)}" height="16" rx="7"/>'
    )


def _ring(at: Point, radius: float) -> str:
    width = 'fill="none" stroke-width="1.6"'
    return f'<circle {_stroke("ink")} {_centre(at)} r="{number(radius)}" {width}/>'


def _label(at: Point, label: str) -> str:
    return (
        f'<text {_fill("ink")} x="{number(at[0])}" y="{number(at[1] + 4.2)}" font-size="12" '
        f'text-anchor="middle" pointer-events="none">{said(label)}</text>'
    )


def _fit(positions: Positions, pairs: Sequence[Sequence[int]]) -> list[Point]:
    """Into the picture, shape kept, y upwards; places in space as seen from a corner."""
    flat = [_flat(position) for position in positions]
    xs, ys = [x for x, _ in flat] or [0.0], [y for _, y in flat] or [0.0]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    steps = [hypot(flat[s][0] - flat[t][0], flat[s][1] - flat[t][1]) for s, t in pairs]
    usual = median(steps) if steps else 0.0
    scale = min(
        (_W - 2 * _EDGE) / wide if wide else _W,
        (_H - 2 * _EDGE) / high if high else _H,
        _BOND / usual if usual and len(positions) < _SMALL else _W,
    )
    left, top = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [(_W / 2 + (x - left) * scale, _H / 2 - (y - top) * scale) for x, y in flat]


def _flat(position: Sequence[float]) -> Point:
    x, y, *rest = position
    if not rest:
        return x, y
    deep = -sin(_YAW) * x + cos(_YAW) * rest[0]
    return cos(_YAW) * x + sin(_YAW) * rest[0], cos(_PITCH) * y - sin(_PITCH) * deep


def node_name(index: int, labels: Sequence[str]) -> str:
    return f"{labels[index]} {index + 1}" if index < len(labels) else str(index + 1)


def _tip(name: str, value: float, named: bool) -> str:
    return f"<title>{said(name)}: {figure(value)}</title>" if named else ""


def _role(value: float) -> Role:
    return "node" if value < 0 else "relation"


def _fill(role: Role) -> str:
    return f'class="f-{role}" fill="{light(role)}"'


def _stroke(role: Role) -> str:
    return f'class="s-{role}" stroke="{light(role)}"'


def _centre(point: Point) -> str:
    return f'cx="{number(point[0])}" cy="{number(point[1])}"'


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
