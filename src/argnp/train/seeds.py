"""Random numbers that depend on what they are for, and on nothing that ran before."""

import hashlib
import random

import numpy as np


def derive(seed: int, *path: str | int) -> int:
    """A seed of its own for every purpose: a hash of the seed and the path to the purpose."""
    text = "/".join([str(seed), *map(str, path)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def generator(seed: int, *path: str | int) -> np.random.Generator:
    return np.random.default_rng(derive(seed, *path))


def python_random(seed: int, *path: str | int) -> random.Random:
    return random.Random(derive(seed, *path))
