"""Single predictions with what mattered: nodes and relations shaded by importance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from argnp.report.blocks import Table
from argnp.report.curves import Point, number
from argnp.report.numbers import figure
from argnp.report.shapes import said

_W: Final = 300.0
_H: Final = 220.0
_EDGE: Final = 20.0
_CLEAR: Final = 0.7  # strongest shade of a node, under which its label can be read
_LABELLED: Final = 80  # nodes, up to which circles are large enough to hold a label


@dataclass(frozen=True)
class Explained:
    title: str
    told: str
    svg: str
    table: Table


def explained(explain: Mapping[str, Any]) -> list[Explained]:
    return [_one(example) for example in explain["examples"]]


def _one(example: Mapping[str, Any]) -> Explained:
    labels = [str(label) for label in example.get("labels") or []]
    nodes = [value or 0.0 for value in example["node_importance"]]
    relations = [value or 0.0 for value in example.get("relation_importance") or []]
    told = f"predicted {_value(example.get('prediction'))}"
    if example.get("truth") is not None:
        told += f", measured {_value(example['truth'])}"
    names = [_name(index, labels) for index in range(len(nodes))]
    rows = [("node", name, value) for name, value in zip(names, nodes, strict=True)]
    rows += [
        ("relation", f"{names[s]} to {names[t]}", value)
        for (s, t), value in zip(example["relations"], relations, strict=False)
    ]
    rows.sort(key=lambda row: -abs(row[2]))
    table = Table(
        "Most important first",
        ["What", "Which", "Importance"],
        [[kind, name, figure(value)] for kind, name, value in rows[:100]],
        words=frozenset({0, 1}),
    )
    svg = _draw(example["positions"], example["relations"], labels, nodes, relations)
    return Explained(example["title"], told, svg, table)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else figure(value)


def _name(index: int, labels: Sequence[str]) -> str:
    return f"{labels[index]} {index + 1}" if index < len(labels) else str(index + 1)


def _draw(
    positions: Sequence[Sequence[float]],
    pairs: Sequence[Sequence[int]],
    labels: Sequence[str],
    nodes: Sequence[float],
    relations: Sequence[float],
) -> str:
    points = _fit(positions)
    most = max(map(abs, [*nodes, *relations]), default=0.0) or 1.0
    radius = 11.0 if len(points) <= _LABELLED and labels else 4.0
    parts = []
    for index, (s, t) in enumerate(pairs):
        data = f'd="M{_at(points[s])}L{_at(points[t])}"'
        parts.append(f'<path class="bond" {data}/>')
        if index < len(relations):
            share = relations[index] / most
            parts.append(
                f'<path class="{_sign(share)}" {data} stroke-width="{number(2 + 7 * abs(share))}" '
                f'opacity="{abs(share):.2f}"/>'
            )
    for index, at in enumerate(points):
        share = nodes[index] / most
        circle = f'cx="{number(at[0])}" cy="{number(at[1])}" r="{number(radius)}"'
        parts.append(f'<circle class="node" {circle}/>')
        parts.append(
            f'<circle class="{_sign(share)}" {circle} opacity="{_CLEAR * abs(share):.2f}"/>'
        )
        if radius > 10 and index < len(labels):
            parts.append(
                f'<text x="{number(at[0])}" y="{number(at[1] + 4)}">{said(labels[index])}</text>'
            )
    return (
        f'<svg class="explained" viewBox="0 0 {number(_W)} {number(_H)}" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def _fit(positions: Sequence[Sequence[float]]) -> list[Point]:
    """Into the picture, shape kept, y upwards."""
    xs = [position[0] for position in positions] or [0.0]
    ys = [position[1] for position in positions] or [0.0]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min(
        (_W - 2 * _EDGE) / wide if wide else _W,
        (_H - 2 * _EDGE) / high if high else _H,
        40.0 if len(positions) < 3 else _W,
    )
    left, top = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [(_W / 2 + (x[0] - left) * scale, _H / 2 - (x[1] - top) * scale) for x in positions]


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _sign(share: float) -> str:
    return "minus" if share < 0 else "plus"
