"""Points on the surface of a triangle mesh, and their usual frame."""

import numpy as np
from numpy.typing import NDArray

from argnp.errors import UserError

Points = NDArray[np.float32]


def sample_surface(
    vertices: NDArray[np.float64], faces: NDArray[np.int64], count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """(count, 3) points uniform on the surface: triangles drawn by area.

    Within a triangle abc: ``a + sqrt(u) ((1 - v) (b - a) + v (c - a))`` with u, v uniform.
    """
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    upto = np.cumsum(np.linalg.norm(np.cross(b - a, c - a), axis=1))
    if not len(upto) or not np.isfinite(upto[-1]) or upto[-1] <= 0:
        raise UserError("the mesh has no surface: its triangles have no area")
    drawn = np.searchsorted(upto, rng.random(count) * upto[-1], side="right")
    drawn = np.minimum(drawn, len(faces) - 1)
    root, v = np.sqrt(rng.random((count, 1))), rng.random((count, 1))
    a, b, c = a[drawn], b[drawn], c[drawn]
    points: NDArray[np.float64] = a + root * ((1 - v) * (b - a) + v * (c - a))
    return points


def to_unit_sphere(points: NDArray[np.float64]) -> Points:
    """(P, 3) centred on the mean, the farthest point at distance 1."""
    centred = points - points.mean(axis=0)
    farthest = np.linalg.norm(centred, axis=1).max()
    scaled: Points = (centred / max(farthest, np.finfo(np.float64).tiny)).astype(np.float32)
    return scaled
