"""Hashes of array rows, all rows at once, and of whole arrays."""

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from argnp.data.raw import Array

Hashes = NDArray[np.uint64]
BLOCK = 2**20  # numbers mixed at a time: what is mapped from disk may be larger than memory


def mix(values: Hashes) -> Hashes:
    """The finaliser of splitmix64: a bijection in which every bit depends on every bit."""
    z = values + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def mix_rows(hashes: Hashes, rows: Array) -> Hashes:
    """(n,) ``hashes`` with the numbers of ``rows`` (n,) or (n, columns) mixed in.

    A row adds up to ``sum_c mix(number_c + salt_c)``, with a salt of its own for every column.
    """
    if rows.ndim == 1:
        rows = rows[:, None]
    salt = mix(np.arange(rows.shape[1], dtype=np.uint64))
    mixed = np.empty_like(hashes)
    step = max(1, BLOCK // max(1, rows.shape[1]))
    for begin in range(0, len(rows), step):
        part = slice(begin, begin + step)
        mixed[part] = mix(_bits(rows[part]) + salt).sum(axis=1, dtype=np.uint64)
    return mix(hashes ^ mixed)


def _bits(numbers: Array) -> Hashes:
    """Equal bits for equal numbers: -0 becomes 0, and there is one NaN."""
    if numbers.dtype.kind != "f":
        return numbers.astype(np.int64).view(np.uint64)
    real = numbers.astype(np.float64) + 0.0
    return np.where(np.isnan(real), np.nan, real).view(np.uint64)


def digest(arrays: Iterable[tuple[str, Array | None]]) -> str:
    """sha256 over names, types, shapes and contents."""
    sha = hashlib.sha256()
    for name, array in arrays:
        if array is None:
            continue
        sha.update(f"{name} {array.dtype.str} {array.shape};".encode())
        sha.update(np.ascontiguousarray(array).data)
    return sha.hexdigest()
