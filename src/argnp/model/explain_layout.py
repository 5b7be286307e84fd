"""Places for the nodes of a graph that has none: distances in the plane like those in the graph."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST: Final = 300  # nodes that are laid out and drawn
_ROUNDS: Final = 80

Positions = NDArray[np.float64]
Int64 = NDArray[np.int64]


def layout(nodes: int, pairs: Int64) -> Positions:
    """(n, 2) by stress majorization, which is deterministic; ``pairs`` (R, 2).

    Minimises ``sum over i < j of (|x_i - x_j| - d_ij)^2 / d_ij^2`` with d the number of hops,
    by Guttman's transform, from classical scaling. Parts that are not connected are set a
    little farther apart than the most distant nodes of a part.
    """
    if nodes < 2:
        return np.zeros((nodes, 2))
    hops = _hops(nodes, pairs)
    weight = np.where(hops > 0, 1 / np.maximum(hops, 1) ** 2, 0.0)
    laplacian = np.diag(weight.sum(1)) - weight
    inverse = np.linalg.pinv(laplacian, hermitian=True)
    x = _scaled(hops)
    for _ in range(_ROUNDS):
        apart = np.linalg.norm(x[:, None] - x, axis=2)
        ratio = np.where(apart > 0, weight * hops / np.maximum(apart, 1e-12), 0.0)
        x = inverse @ (np.diag(ratio.sum(1)) - ratio) @ x
    return x


def ball(nodes: int, pairs: Int64, centre: int, most: int = MOST) -> Int64:
    """Up to ``most`` nodes nearest to ``centre`` by hops, ascending; all of a smaller graph."""
    if nodes <= most:
        return np.arange(nodes)
    from scipy.sparse.csgraph import breadth_first_order

    order = breadth_first_order(
        _adjacency(nodes, pairs), centre, directed=False, return_predecessors=False
    )
    near: Int64 = np.sort(order[:most]).astype(np.int64)
    return near


def within(pairs: Int64, kept: Int64, nodes: int) -> tuple[Int64, Int64]:
    """Numbers of the pairs among the nodes ``kept``, and these pairs in their new numbers."""
    number = np.full(nodes, -1)
    number[kept] = np.arange(len(kept))
    renamed = number[pairs]
    inside: Int64 = np.flatnonzero((renamed >= 0).all(axis=1))
    return inside, renamed[inside]


def _hops(nodes: int, pairs: Int64) -> NDArray[np.float64]:
    from scipy.sparse.csgraph import shortest_path

    hops: NDArray[np.float64] = shortest_path(
        _adjacency(nodes, pairs), directed=False, unweighted=True
    )
    reached = np.isfinite(hops)
    hops[~reached] = hops[reached].max() + 1.5
    return hops


def _adjacency(nodes: int, pairs: Int64) -> NDArray[np.float64]:
    from scipy.sparse import coo_array

    ones = np.ones(len(pairs))
    adjacency: NDArray[np.float64] = coo_array(
        (ones, (pairs[:, 0], pairs[:, 1])), shape=(nodes, nodes)
    ).tocsr()
    return adjacency


def _scaled(distance: NDArray[np.float64]) -> Positions:
    """Classical scaling to two dimensions, and a trace of noise: what coincides stays so."""
    nodes = len(distance)
    squared = distance**2
    middle = squared - squared.mean(0) - squared.mean(1)[:, None] + squared.mean()
    values, vectors = np.linalg.eigh(-middle / 2)
    x = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0))
    noise = np.random.default_rng(0).normal(scale=1e-3, size=(nodes, 2))
    return np.asarray(x + noise * max(float(np.abs(x).max()), 1.0))
