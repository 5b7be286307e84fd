"""Boxes and round posts: what the synthetic furniture is built of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SIDES = 16  # of a round post
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
_BOX = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5],
        [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6],
        [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip


@dataclass(frozen=True)
class Mesh:
    """Triangles over vertices; z points up."""

    vertices: NDArray[np.float64]  # (V, 3)
    faces: NDArray[np.int64]  # (F, 3)


def box(x: float, y: float, z: float, width: float, depth: float, height: float) -> Mesh:
    """A box that stands on height z, its base centred on (x, y)."""
    size = np.array([width, depth, height])
    return Mesh(_CORNERS * size + np.array([x - width / 2, y - depth / 2, z]), _BOX)


def post(x: float, y: float, z: float, bottom: float, top: float, height: float) -> Mesh:
    """A round post with these radii at its two ends: a cylinder, a cone, a lampshade."""
    turn = 2 * np.pi * np.arange(_SIDES) / _SIDES
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros(_SIDES)], axis=1)
    low = ring * bottom + np.array([x, y, z])
    high = ring * top + np.array([x, y, z + height])
    ends = np.array([[x, y, z], [x, y, z + height]])
    here = np.arange(_SIDES)
    following = (here + 1) % _SIDES
    faces = [
        np.stack([here, following, following + _SIDES], axis=1),
        np.stack([here, following + _SIDES, here + _SIDES], axis=1),
        np.stack([following, here, np.full(_SIDES, 2 * _SIDES)], axis=1),
        np.stack([here + _SIDES, following + _SIDES, np.full(_SIDES, 2 * _SIDES + 1)], axis=1),
    ]
    return Mesh(np.concatenate([low, high, ends]), np.concatenate(faces))


def joined(parts: list[Mesh]) -> Mesh:
    """One mesh of several; where they touch, both surfaces stay."""
    first = np.cumsum([0, *(len(part.vertices) for part in parts)])
    return Mesh(
        np.concatenate([part.vertices for part in parts]),
        np.concatenate([part.faces + at for part, at in zip(parts, first, strict=False)]),
    )
