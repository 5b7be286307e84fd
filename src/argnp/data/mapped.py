"""Arrays in files: small ones are read, large ones are mapped, and their pages come as needed."""

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from argnp.data.raw import Array

MAPPED: Final = 64 * 2**20  # bytes; a larger array stays in its file


def read_array(file: Path) -> Array:
    """What ``np.load`` finds, never unpickled; its errors are left to the caller."""
    mode: Any = "r" if file.stat().st_size > MAPPED else None
    # A view of the plain type: subclasses cost time at every index.
    array: Array = np.asarray(np.load(file, mmap_mode=mode, allow_pickle=False))
    return array


def make_array(file: Path, shape: tuple[int, ...], fill: Callable[[Any], None]) -> Array:
    """Real numbers, at first 0, that ``fill`` writes to; then the file holds them as a whole."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        if 4 * math.prod(shape) <= MAPPED:
            values: Any = np.zeros(shape, dtype=np.float32)
            fill(values)
            with draft.open("wb") as out:
                np.save(out, values, allow_pickle=False)
        else:
            values = np.lib.format.open_memmap(draft, mode="w+", dtype=np.float32, shape=shape)
            _reserve(draft)
            fill(np.asarray(values))
            values.flush()
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return np.asarray(values)


def _reserve(file: Path) -> None:
    """Takes the disk's room now: where it runs out under a mapping, the process is killed."""
    if hasattr(os, "posix_fallocate"):
        with file.open("r+b") as out:
            os.posix_fallocate(out.fileno(), 0, file.stat().st_size)
