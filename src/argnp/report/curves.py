"""SVG path data of wires: right angles with rounded corners, and the smooth feeds into a pair."""

from math import copysign, hypot

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate with one decimal, none where it is whole."""
    return f"{round(value, 1) + 0.0:g}"


def point(at: Point) -> str:
    return f"{number(at[0])} {number(at[1])}"


def rounded(corners: list[Point], radius: float) -> str:
    """A path along axis-parallel pieces with its inner corners rounded.

    A corner may take all of the first or last piece, and half of one between two corners.
    """
    path = [f"M{point(corners[0])}"]
    last = len(corners) - 1
    for index in range(1, last):
        before, corner, after = corners[index - 1 : index + 2]
        room_before = _length(before, corner) / (1 if index == 1 else 2)
        room_after = _length(corner, after) / (1 if index == last - 1 else 2)
        r = min(radius, room_before, room_after)
        path.append(f"L{point(_towards(corner, before, r))}")
        path.append(f"Q{point(corner)} {point(_towards(corner, after, r))}")
    path.append(f"L{point(corners[-1])}")
    return "".join(path)


def bend(start: Point, end: Point) -> str:
    """An S from one point to another, level at both ends."""
    middle = (start[0] + end[0]) / 2
    return f"M{point(start)}C{point((middle, start[1]))} {point((middle, end[1]))} {point(end)}"


def swerve(start: Point, end: Point) -> str:
    """A quarter turn that leaves downwards and arrives level."""
    return f"M{point(start)}C{point((start[0], end[1]))} {point((start[0], end[1]))} {point(end)}"


def _length(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def _towards(start: Point, end: Point, distance: float) -> Point:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (
        start[0] + (copysign(distance, dx) if dx else 0.0),
        start[1] + (copysign(distance, dy) if dy else 0.0),
    )
