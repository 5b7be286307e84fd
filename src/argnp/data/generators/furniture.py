"""Twelve kinds of furniture, each drawn at random in its own proportions (metres)."""

from collections.abc import Callable
from typing import Final

import numpy as np

from argnp.data.generators.solids import Mesh, box, post

Rng = np.random.Generator
Maker = Callable[[Rng], list[Mesh]]


def _legs(rng: Rng, width: float, depth: float, height: float) -> list[Mesh]:
    """Four, square or round, near the corners."""
    thick = rng.uniform(0.03, 0.07)
    x, y = (width - thick) / 2, (depth - thick) / 2
    corners = [(sx * x, sy * y) for sx in (-1, 1) for sy in (-1, 1)]
    if rng.random() < 0.5:
        return [box(cx, cy, 0, thick, thick, height) for cx, cy in corners]
    return [post(cx, cy, 0, thick / 2, thick / 2, height) for cx, cy in corners]


def table(rng: Rng) -> list[Mesh]:
    width, depth, height = rng.uniform(0.9, 2.0), rng.uniform(0.7, 1.1), rng.uniform(0.65, 0.8)
    return [box(0, 0, height, width, depth, 0.04), *_legs(rng, width, depth, height)]


def desk(rng: Rng) -> list[Mesh]:
    """A top on a chest of drawers at one end and a panel at the other."""
    width, depth, height = rng.uniform(1.1, 1.8), rng.uniform(0.5, 0.8), rng.uniform(0.65, 0.8)
    chest, side = rng.uniform(0.3, 0.45), rng.choice([-1, 1])
    return [
        box(0, 0, height, width, depth, 0.04),
        box(side * (width - chest) / 2, 0, 0, chest, depth, height),
        box(-side * (width - 0.04) / 2, 0, 0, 0.04, depth, height),
        box(0, depth / 2 - 0.02, height / 2, width, 0.03, height / 2),
    ]


def chair(rng: Rng) -> list[Mesh]:
    width, depth, seat = rng.uniform(0.4, 0.55), rng.uniform(0.4, 0.55), rng.uniform(0.4, 0.5)
    back = rng.uniform(0.35, 0.6)
    return [
        box(0, 0, seat, width, depth, 0.05),
        box(0, depth / 2 - 0.02, seat, width, 0.04, back),
        *_legs(rng, width, depth, seat),
    ]


def stool(rng: Rng) -> list[Mesh]:
    """A round seat on four legs, or on one foot."""
    radius, height = rng.uniform(0.16, 0.25), rng.uniform(0.4, 0.8)
    seat = post(0, 0, height, radius, radius, 0.05)
    if rng.random() < 0.5:
        return [seat, *_legs(rng, radius * 1.5, radius * 1.5, height)]
    return [seat, post(0, 0, 0, 0.03, 0.03, height), post(0, 0, 0, radius, radius * 0.8, 0.03)]


def bench(rng: Rng) -> list[Mesh]:
    """A long board on two panels."""
    width, depth, height = rng.uniform(1.1, 1.9), rng.uniform(0.28, 0.42), rng.uniform(0.4, 0.5)
    apart = width * rng.uniform(0.3, 0.42)
    return [
        box(0, 0, height, width, depth, 0.05),
        *(box(side * apart, 0, 0, 0.06, depth, height) for side in (-1, 1)),
    ]


def sofa(rng: Rng) -> list[Mesh]:
    width, depth, seat = rng.uniform(1.4, 2.4), rng.uniform(0.75, 1.0), rng.uniform(0.35, 0.48)
    arm, rest = rng.uniform(0.12, 0.25), rng.uniform(0.15, 0.25)
    return [
        box(0, 0, 0, width, depth, seat),
        box(0, depth / 2 - 0.1, seat, width, 0.2, rng.uniform(0.3, 0.5)),
        *(box(side * (width - arm) / 2, 0, seat, arm, depth, rest) for side in (-1, 1)),
    ]


def bed(rng: Rng) -> list[Mesh]:
    width, length, height = rng.uniform(0.9, 1.9), rng.uniform(1.9, 2.2), rng.uniform(0.2, 0.35)
    pillows = 1 if width < 1.3 else 2
    return [
        box(0, 0, height, width, length, 0.2),
        box(0, length / 2, 0, width, 0.06, rng.uniform(0.7, 1.1)),
        *_legs(rng, width, length, height),
        *(
            box((i - (pillows - 1) / 2) * width / 2, length / 2 - 0.3, height + 0.2, 0.5, 0.35, 0.1)
            for i in range(pillows)
        ),
    ]


def shelf(rng: Rng) -> list[Mesh]:
    """Boards between two sides, open to the front and the back."""
    width, depth, height = rng.uniform(0.6, 1.2), rng.uniform(0.25, 0.4), rng.uniform(1.2, 2.1)
    boards = int(rng.integers(4, 7))
    return [
        *(box(side * width / 2, 0, 0, 0.03, depth, height) for side in (-1, 1)),
        *(box(0, 0, i * (height - 0.03) / (boards - 1), width, depth, 0.03) for i in range(boards)),
    ]


def wardrobe(rng: Rng) -> list[Mesh]:
    """A closed body with a cornice and two knobs."""
    width, depth, height = rng.uniform(0.9, 1.8), rng.uniform(0.5, 0.65), rng.uniform(1.8, 2.2)
    return [
        box(0, 0, 0, width, depth, height),
        box(0, 0, height, width + 0.1, depth + 0.1, 0.06),
        *(box(side * 0.06, -depth / 2 - 0.02, height / 2, 0.03, 0.04, 0.12) for side in (-1, 1)),
    ]


def nightstand(rng: Rng) -> list[Mesh]:
    """A small chest on short legs, with a top that stands over."""
    width, depth, legs = rng.uniform(0.4, 0.55), rng.uniform(0.35, 0.45), rng.uniform(0.1, 0.25)
    body = rng.uniform(0.3, 0.4)
    return [
        *_legs(rng, width, depth, legs),
        box(0, 0, legs, width, depth, body),
        box(0, 0, legs + body, width + 0.06, depth + 0.06, 0.03),
    ]


def lamp(rng: Rng) -> list[Mesh]:
    """A foot, a thin stand and a shade."""
    height, foot = rng.uniform(1.2, 1.8), rng.uniform(0.12, 0.2)
    shade, top = rng.uniform(0.18, 0.3), rng.uniform(0.08, 0.16)
    return [
        post(0, 0, 0, foot, foot * 0.9, 0.04),
        post(0, 0, 0.04, 0.02, 0.02, height),
        post(0, 0, height - 0.1, shade, top, rng.uniform(0.2, 0.35)),
    ]


def bathtub(rng: Rng) -> list[Mesh]:
    """Four walls around a floor, open above."""
    width, length, height = rng.uniform(0.65, 0.85), rng.uniform(1.4, 1.8), rng.uniform(0.45, 0.65)
    wall = rng.uniform(0.05, 0.1)
    return [
        box(0, 0, 0, width, length, 0.08),
        *(box(side * (width - wall) / 2, 0, 0, wall, length, height) for side in (-1, 1)),
        *(box(0, side * (length - wall) / 2, 0, width, wall, height) for side in (-1, 1)),
        post(0, length / 2 - wall, height, 0.02, 0.02, 0.15),
    ]


FURNITURE: Final[dict[str, Maker]] = {
    maker.__name__: maker
    for maker in (
        bathtub, bed, bench, chair, desk, lamp, nightstand, shelf, sofa, stool, table, wardrobe,
    )
}  # fmt: skip
