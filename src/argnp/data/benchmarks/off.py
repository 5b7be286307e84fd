"""Triangle meshes from OFF files."""

from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from argnp.errors import UserError

Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]


def read_off(file: Path) -> Mesh:
    """Vertices (V, 3) and triangles (F, 3); a face of k corners is k - 2 triangles.

    The word OFF may stand before the counts in one line, as it does in some ModelNet files.
    """
    try:
        words = file.read_text(encoding="ascii", errors="replace").split()
        return _parse(words)
    except (OSError, ValueError, IndexError) as wrong:
        raise UserError(f"{file} is no OFF mesh ({wrong}); replace it") from None


def _parse(words: list[str]) -> Mesh:
    if not words or not words[0].upper().startswith("OFF"):
        raise ValueError("it does not begin with OFF")
    words = [words[0][3:], *words[1:]] if len(words[0]) > 3 else words[1:]
    count, faces = int(words[0]), int(words[1])
    vertices = np.array(words[3 : 3 + 3 * count], dtype=np.float64)
    if len(vertices) != 3 * count:
        raise ValueError(f"it ends within its {count} vertices")
    if not np.isfinite(vertices).all():
        raise ValueError("a vertex is no finite number")
    corners = np.array(words[3 + 3 * count :], dtype=np.float64).astype(np.int64)
    triangles = _triangles(corners, faces)
    if len(triangles) and (triangles.min() < 0 or triangles.max() >= count):
        raise ValueError(f"a face names a vertex beyond its {count}")
    return vertices.reshape(count, 3), triangles


def _triangles(numbers: NDArray[np.int64], faces: int) -> NDArray[np.int64]:
    if len(numbers) == 4 * faces and (numbers[::4] == 3).all():
        return numbers.reshape(faces, 4)[:, 1:]
    found: list[tuple[int, int, int]] = []
    at = 0
    for _ in range(faces):
        corners = numbers[at + 1 : at + 1 + numbers[at]]
        if len(corners) != numbers[at]:
            raise ValueError(f"it ends within its {faces} faces")
        found.extend((corners[0], b, c) for b, c in pairwise(corners[1:]))
        at += 1 + int(numbers[at])
    return np.array(found, dtype=np.int64).reshape(-1, 3)
