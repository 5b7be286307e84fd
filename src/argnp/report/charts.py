"""Line and scatter charts as SVG, drawn for a width of about 400 px, in the page's colours.

They are hidden from screen readers, which get the table beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import isfinite
from typing import Final

from argnp.report.curves import number
from argnp.report.numbers import figure, ticks
from argnp.report.shapes import said

_W: Final = 420.0
_H: Final = 250.0
_LEFT: Final = 52.0
_RIGHT: Final = 12.0
_TOP: Final = 14.0
_BOTTOM: Final = 40.0


@dataclass(frozen=True)
class Series:
    """A line. ``style`` is a CSS class of the page: ``a``, ``b``, ``c``, or ``faint``."""

    name: str
    points: Sequence[tuple[float, float | None]]
    style: str


@dataclass(frozen=True)
class Mark:
    """A vertical line with a word."""

    x: float
    text: str


@dataclass(frozen=True)
class _Axes:
    xs: list[float]
    ys: list[float]
    height: float = _H

    def x(self, value: float) -> float:
        return _LEFT + (value - self.xs[0]) / (self.xs[-1] - self.xs[0]) * (_W - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        low, high = self.ys[0], self.ys[-1]
        bottom = self.height - _BOTTOM
        return bottom - (value - low) / (high - low) * (bottom - _TOP)

    def frame(self, x_label: str, y_label: str) -> str:
        bottom = self.height - _BOTTOM
        parts = []
        for value in self.ys:
            y = number(self.y(value))
            parts.append(f'<path class="grid" d="M{number(_LEFT)} {y}H{number(_W - _RIGHT)}"/>')
            parts.append(_text(_LEFT - 7, self.y(value) + 4, _tick(value, self.ys), "end"))
        for value in self.xs:
            x = number(self.x(value))
            parts.append(f'<path class="grid" d="M{x} {number(bottom)}v4"/>')
            parts.append(_text(self.x(value), bottom + 17, _tick(value, self.xs), "middle"))
        parts.append(_text(_W - _RIGHT, self.height - 6, x_label, "end"))
        parts.append(
            f'<text class="axis" text-anchor="end" '
            f'transform="translate(11 {number(_TOP)}) rotate(-90)">{said(y_label)}</text>'
        )
        return "".join(parts)


def lines(
    series: Sequence[Series], x_label: str, y_label: str, marks: Sequence[Mark] = ()
) -> str | None:
    """A chart of lines; gaps where a value is None or not finite. None without any point."""
    drawn = [
        (one, [(x, y) for x, y in one.points if y is not None and isfinite(y)]) for one in series
    ]
    everything = [point for _, points in drawn for point in points]
    if not everything:
        return None
    axes = _axes(everything)
    parts = [axes.frame(x_label, y_label)]
    for mark in marks:
        x = axes.x(mark.x)
        parts.append(f'<path class="mark" d="M{number(x)} {number(_TOP)}V{number(_H - _BOTTOM)}"/>')
        late = x > _W * 0.8
        parts.append(
            _text(x + (-4 if late else 3), _TOP + 8, mark.text, "end" if late else "start")
        )
    for one, points in drawn:
        parts.append(_line(axes, one, single=len(points) == 1))
    return _svg(_H, "".join(parts))


def scatter(points: Sequence[tuple[float, float]], x_label: str, y_label: str) -> str | None:
    """Points against the diagonal, both axes alike."""
    if not points:
        return None
    both = [value for point in points for value in point]
    marks = ticks(min(both), max(both))
    axes = _Axes(marks, marks, _W)
    low, high = marks[0], marks[-1]
    diagonal = f"M{_at(axes, low, low)}L{_at(axes, high, high)}"
    dots = "".join(
        f'<circle cx="{number(axes.x(x))}" cy="{number(axes.y(y))}" r="3"/>' for x, y in points
    )
    body = f'<path class="mark" d="{diagonal}"/><g class="dots">{dots}</g>'
    return _svg(_W, axes.frame(x_label, y_label) + body)


def _axes(points: Sequence[tuple[float, float]]) -> _Axes:
    xs, ys = zip(*points, strict=True)
    left, right = min(xs), max(xs)
    steps = [mark for mark in ticks(left, right, 6) if mark <= right]
    if left == right:
        return _Axes([left - 1, left, left + 1], ticks(min(ys), max(ys)))
    inner = [mark for mark in steps if left < mark]
    close = (right - left) * 0.06
    kept = [mark for mark in inner if mark - left > close and right - mark > close]
    if all(x == int(x) for x in xs):  # epochs
        kept = [mark for mark in kept if mark == int(mark)]
    return _Axes([left, *kept, right], ticks(min(ys), max(ys)))


def _line(axes: _Axes, one: Series, *, single: bool) -> str:
    pieces = []
    for there, group in groupby(one.points, lambda p: p[1] is not None and isfinite(p[1])):
        if there:
            stops = [_at(axes, x, y) for x, y in group if y is not None]
            pieces.append("M" + "L".join(stops) + ("h0.01" if len(stops) == 1 else ""))
    dot = " single" if single else ""
    return f'<path class="line {one.style}{dot}" d="{"".join(pieces)}"/>'


def _at(axes: _Axes, x: float, y: float) -> str:
    return f"{number(axes.x(x))} {number(axes.y(y))}"


def _tick(value: float, marks: Sequence[float]) -> str:
    """Enough digits to tell the marks apart, no more."""
    if all(mark == int(mark) for mark in marks):
        return f"{int(value)}".replace("-", "−")
    step = min(b - a for a, b in pairwise(marks))
    if step < 1e-4:
        return figure(value, 2)
    places = next(p for p in range(6) if abs(round(step, p) - step) < step / 100)
    return f"{value:.{places}f}".replace("-", "−")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text class="axis" x="{number(x)}" y="{number(y)}" text-anchor="{anchor}">'
        f"{said(text)}</text>"
    )


def _svg(height: float, body: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {number(_W)} {number(height)}" aria-hidden="true">'
        f"{body}</svg>"
    )
