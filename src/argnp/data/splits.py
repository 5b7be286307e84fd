"""Who trains, who chooses, who judges: seeded splits of graphs or of target rows."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Split
from argnp.data.raw import Array
from argnp.errors import UserError

Int64 = NDArray[np.int64]
Sizes = tuple[float, float, float]
NAMES: tuple[Split, ...] = ("train", "val", "test")
KINDS = ("random", "stratified", "grouped")
MOST_BINS = 10  # of a number's quantiles, in a stratified split


def split_random(items: Int64, sizes: Sizes, seed: int) -> dict[Split, Int64]:
    """Shuffles and cuts; every split that has a size gets an item where there are enough."""
    order = np.random.default_rng(seed).permutation(items)
    return _cut(order, _counts(len(items), sizes))


def split_stratified(items: Int64, y: Array, sizes: Sizes, seed: int) -> dict[Split, Int64]:
    """Every class, or every tenth of a number's range of ranks, in the same proportions.

    ``y`` holds the classes or numbers of ``items``. Items are dealt in order of their stratum
    along an even rhythm, so that the sizes are those of a random split. A class too rare to be in
    every split is in training at least.
    """
    shuffle = np.random.default_rng(seed).permutation(len(items))
    stratum = _strata(y)[shuffle]
    order = items[shuffle][np.argsort(stratum, kind="stable")]
    counts = _counts(len(items), sizes)
    # Position i of split j, of n_j positions, stands at (i + 1/2) / n_j of the way.
    at = np.concatenate([(np.arange(n) + 0.5) / n for n in counts if n])
    which = np.concatenate([np.full(n, j) for j, n in enumerate(counts)])
    which = which[np.argsort(at, kind="stable")]
    if y.dtype.kind != "f":
        _teach_every_class(which, np.sort(stratum))
    return {name: np.sort(order[which == j]) for j, name in enumerate(NAMES)}


def _teach_every_class(which: Int64, classes: Int64) -> None:
    """Changes places, so that the first of a class that no training item is of trains.

    Positions with their split, 0 for training, and their class, in ascending order. The place is
    that of the class that most training items are of: no share moves far.
    """
    found, first, inverse = np.unique(classes, return_index=True, return_inverse=True)
    trained = np.bincount(inverse[which == 0], minlength=len(found))
    for lacking in np.flatnonzero(trained == 0):
        richest = int(trained.argmax())
        if trained[richest] < 2:
            return
        place = int(np.flatnonzero((which == 0) & (inverse == richest))[-1])
        which[place], which[first[lacking]] = which[first[lacking]], 0
        trained[richest] -= 1
        trained[lacking] = 1


def split_grouped(items: Int64, groups: Int64, sizes: Sizes, seed: int) -> dict[Split, Int64]:
    """Whole groups only: those larger than half a validation set train, the others are dealt.

    ``groups`` holds the group of each of ``items``.
    """
    counts = _counts(len(items), sizes)
    _, inverse, size = np.unique(groups, return_inverse=True, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(size))
    large = size[order] > min(counts[1:]) / 2
    order = np.concatenate([order[large], order[~large]])
    ends = np.cumsum(size[order])
    # A group goes where its middle falls, so that none is far from its size.
    middle = ends - size[order] / 2
    of_group = np.empty(len(size), dtype=np.int64)
    of_group[order] = np.searchsorted(np.cumsum(counts)[:2], middle, side="right")
    return {name: items[of_group[inverse] == j] for j, name in enumerate(NAMES)}


def split_named(names: Sequence[str]) -> dict[Split, Int64]:
    """From a column that says train, val (valid, validation, dev) or test in every row."""
    known = {"valid": "val", "validation": "val", "dev": "val", "training": "train"}
    clean = [name.strip().lower() for name in names]
    clean = [known.get(name, name) for name in clean]
    for row, name in enumerate(clean):
        if name not in NAMES:
            raise UserError(
                f"row {row}: {names[row]!r} is no split; the splits column holds train, val or test"
            )
    array = np.array(clean, dtype=str)
    return {name: np.flatnonzero(array == name) for name in NAMES}


def check_splits(splits: Mapping[Split, Int64], total: int, what: str) -> dict[Split, Int64]:
    """The three splits in order, none empty, none overlapping, all within ``total`` items."""
    for name in NAMES:
        items = splits.get(name, np.empty(0, dtype=np.int64))
        if not len(items):
            raise UserError(
                f"the {name} split is empty (of {total} {what}s); "
                "give more data or other --split-sizes"
            )
        wrong = items[(items < 0) | (items >= total)]
        if len(wrong):
            raise UserError(f"{name} split: there is no {what} {wrong[0]}, only 0 to {total - 1}")
    everyone = np.concatenate([splits[name] for name in NAMES])
    items, times = np.unique(everyone, return_counts=True)
    if (times > 1).any():
        raise UserError(
            f"{what} {items[times > 1][0]} is in the splits more than once; "
            "each may train, validate or test only"
        )
    return {name: np.asarray(splits[name], dtype=np.int64) for name in NAMES}


def _counts(total: int, sizes: Sizes) -> list[int]:
    # A comparison with NaN is never true.
    if not (min(sizes) >= 0 and 0 < sum(sizes) < math.inf):
        raise UserError(
            f"--split-sizes {' '.join(f'{size:g}' for size in sizes)}: shares are finite, none "
            "below 0 and not all 0, as .8 .1 .1"
        )
    share = np.array(sizes) / sum(sizes)
    val, test = (max(round(float(total * s)), int(s > 0)) for s in share[1:])
    val = min(val, total)
    test = min(test, total - val)
    return [total - val - test, val, test]


def _cut(order: Int64, counts: Sequence[int]) -> dict[Split, Int64]:
    ends = np.cumsum(counts)
    parts = np.split(order, ends[:2])
    return {name: np.sort(part) for name, part in zip(NAMES, parts, strict=True)}


def _strata(y: Array) -> Int64:
    if y.dtype.kind != "f":
        return y.astype(np.int64)
    ranks = np.argsort(np.argsort(y, kind="stable"), kind="stable")
    return ranks * min(MOST_BINS, max(len(y), 1)) // max(len(y), 1)
