"""What a generator hands over, and how many graphs it is asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Split
from argnp.data.pointclouds import Clouds
from argnp.data.raw import RawGraphs
from argnp.errors import UserError

Counts = tuple[int, int, int]
NAMES: tuple[Split, ...] = ("train", "val", "test")


@dataclass(frozen=True)
class Generated:
    """Graphs or point clouds, training ones first, and the split of each."""

    graphs: RawGraphs | Clouds
    splits: dict[Split, NDArray[np.int64]]


def in_order(counts: Counts) -> dict[Split, NDArray[np.int64]]:
    """Splits of graphs that stand in the order train, val, test."""
    parts = np.split(np.arange(sum(counts), dtype=np.int64), np.cumsum(counts)[:2])
    return dict(zip(NAMES, parts, strict=True))


def graph_rngs(counts: Counts, seed: int, recipe: int) -> list[np.random.Generator]:
    """A generator of its own for every graph.

    Asking for more graphs leaves the first ones as they were, and so does the size of another
    split. ``recipe`` keeps the streams of two recipes apart.
    """
    return [
        np.random.default_rng([seed, recipe, split, graph])
        for split, count in enumerate(counts)
        for graph in range(count)
    ]


def read_counts(graphs: int | Sequence[int] | None, default: Counts) -> Counts:
    """``None`` is the recipe's own numbers; one number is divided as the recipe's are."""
    if graphs is None:
        return default
    if isinstance(graphs, int):
        return _divide(graphs, default)
    counts = tuple(int(count) for count in graphs)
    if len(counts) != 3 or min(counts) < 1:
        raise UserError(
            f"--graphs {'/'.join(map(str, graphs))}: give a total, or training, validation and "
            "test graphs as in 1000/100/100, each at least 1"
        )
    return counts[0], counts[1], counts[2]


def _divide(total: int, default: Counts) -> Counts:
    if total < 3:
        raise UserError(f"--graphs {total}: three splits need at least 3 graphs")
    val, test = (max(1, round(total * part / sum(default))) for part in default[1:])
    return total - val - test, val, test


def pointers(lengths: Sequence[int]) -> NDArray[np.int64]:
    """(G + 1,) where each of G stretches of these lengths begins and ends."""
    ptr = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=ptr[1:])
    return ptr
