"""scikit-learn's handwritten digits, 8 by 8 pixels, as graphs of their inked pixels."""

from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from argnp.data.generators.generated import Counts, Generated, pointers
from argnp.data.raw import RawGraphs
from argnp.data.splits import split_stratified
from argnp.errors import UserError

_AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


class DigitsRecipe(msgspec.Struct, frozen=True):
    """A pixel is a node where its ink, 0 to 16, is at least ``ink``."""

    ink: Annotated[int, Meta(ge=0, le=16)] = 1


def digits(recipe: DigitsRecipe, counts: Counts, seed: int) -> Generated:
    """Node features: ink, column and row, all in 0..1. Target: the digit.

    Every inked pixel is related to those of the eight around it that are inked; the relation
    carries their distance, 1 or the square root of 2. Splits are stratified.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise UserError("digits come with scikit-learn; pip install 'argnp[digits]'") from None
    images, y = load_digits(return_X_y=True)
    if sum(counts) > len(images):
        raise UserError(f"digits: {sum(counts)} graphs wanted, there are {len(images)} images")
    chosen = _by_turns(y, np.random.default_rng([seed, 5]))[: sum(counts)]
    raw = _graphs(images[chosen].reshape(-1, 8, 8), y[chosen], recipe.ink)
    return Generated(raw, split_stratified(np.arange(len(chosen)), y[chosen], counts, seed))


def _by_turns(y: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """All images, in random order within a digit, the digits taking turns."""
    order = rng.permutation(len(y))
    seen = np.cumsum(y[order, None] == np.arange(10), axis=0)
    turn = seen[np.arange(len(y)), y[order]]
    return order[np.lexsort((y[order], turn))]


def _graphs(images: NDArray[np.float64], y: NDArray[np.int64], ink: int) -> RawGraphs:
    framed = np.pad(images >= ink, ((0, 0), (1, 1), (1, 1)))
    number = np.cumsum(framed.reshape(len(images), -1), axis=1).reshape(framed.shape) - 1
    graph, row, column = np.nonzero(framed)
    edges, lengths, owners = [], [], []
    for down, right in _AROUND:
        here = np.flatnonzero(framed[graph, row + down, column + right])
        g, r, c = graph[here], row[here], column[here]
        edges.append(np.stack([number[g, r + down, c + right], number[g, r, c]]))
        lengths.append(np.full(len(here), np.hypot(down, right)))
        owners.append(g)
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    shade = images[graph, row - 1, column - 1] / 16
    return RawGraphs(
        node_ptr=pointers(np.bincount(graph, minlength=len(images)).tolist()),
        edge_ptr=pointers(np.bincount(owner, minlength=len(images)).tolist()),
        edge_index=np.concatenate(edges, axis=1)[:, order].astype(np.int32),
        x=np.stack([shade, (column - 1) / 7, (row - 1) / 7], axis=1).astype(np.float32),
        edge_attr=np.concatenate(lengths)[order, None].astype(np.float32),
        y=y.astype(np.int64),
        labels=tuple(map(str, range(10))),
    )
