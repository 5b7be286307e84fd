"""Points of many meshes, sampled once and kept beside them."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from argnp.data.benchmarks.off import read_off
from argnp.data.molecules.convert import Progress
from argnp.data.pointclouds import Points
from argnp.data.pointclouds_sampling import sample_surface, to_unit_sphere
from argnp.errors import UserError

_FORMAT: Final = 1  # of the points kept; raise it when meshes are sampled in another way


@dataclass(frozen=True)
class MeshFile:
    """A mesh, its class, and whether it is one to train on."""

    file: Path
    label: str
    train: bool


def sampled(
    files: Sequence[MeshFile],
    points: int,
    seed: int,
    home: Path,
    progress: Progress | None = None,
) -> Points:
    """(G, points, 3) in the unit sphere; kept in ``home/argnp``, found again by what it is of."""
    kept = home / "argnp" / f"points-{_key(files, points, seed)}.npy"
    shape = (len(files), points, 3)
    try:
        cached: Points = np.load(kept, allow_pickle=False)
        if cached.shape == shape and cached.dtype == np.float32:
            return cached
    except (OSError, ValueError, EOFError):
        pass  # not there, or damaged: it is made anew
    clouds = np.empty(shape, dtype=np.float32)
    for i, mesh in enumerate(files):
        clouds[i] = _cloud(mesh.file, points, [seed, i])
        if progress is not None:
            progress(i + 1, len(files))
    _keep(kept, clouds)
    return clouds


def _cloud(file: Path, points: int, seed: list[int]) -> Points:
    try:
        vertices, faces = read_off(file)
        return to_unit_sphere(sample_surface(vertices, faces, points, np.random.default_rng(seed)))
    except UserError as wrong:
        place = "" if str(file) in str(wrong) else f"{file}: "
        raise UserError(f"{place}{wrong}") from None


def _key(files: Sequence[MeshFile], points: int, seed: int) -> str:
    facts = [f"{_FORMAT} {points} {seed}"]
    for mesh in files:
        now = mesh.file.stat()
        facts.append(f"{mesh.file} {now.st_size} {now.st_mtime_ns}")
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _keep(file: Path, clouds: Points) -> None:
    """Written whole or not at all; a folder that cannot be written to keeps nothing."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(exist_ok=True)
        with draft.open("wb") as out:
            np.save(out, clouds, allow_pickle=False)
        draft.replace(file)
    except OSError:
        draft.unlink(missing_ok=True)
