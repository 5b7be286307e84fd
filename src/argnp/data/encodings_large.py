"""Encodings of graphs too large for a full spectrum, with sparse matrices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.errors import UserError

MOST_WALK_NODES = 20_000  # return probabilities cost the square of the nodes
BLOCK = 256  # start nodes walked from at a time


def _sparse(edges: NDArray[np.int32], n: int) -> tuple[Any, NDArray[np.float64]]:
    """Symmetrised adjacency of 0 and 1, and degrees (at least 1)."""
    from scipy.sparse import coo_array

    both = np.concatenate([edges, edges[::-1]], axis=1)
    adjacency = coo_array((np.ones(both.shape[1]), (both[0], both[1])), shape=(n, n)).tocsr()
    adjacency.data[:] = 1
    return adjacency, np.maximum(adjacency.sum(axis=1), 1)


def large_lap(edges: NDArray[np.int32], n: int, width: int, called: str) -> NDArray[np.float64]:
    """(n, width) eigenvectors of I - S, of any sign, by Lanczos: those of I + S from the top."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    adjacency, degree = _sparse(edges, n)
    scale = diags_array(degree**-0.5)
    matrix = scale @ adjacency @ scale + diags_array(np.ones(n))
    start = np.random.default_rng(0).random(n)
    try:
        spectrum, vectors = eigsh(matrix, k=width + 1, which="LA", v0=start, tol=1e-5, maxiter=1000)
    except ArpackNoConvergence:
        raise UserError(
            f"{called}: the Laplacian eigenvectors of its {n} nodes did not converge; "
            "use --pe none or fewer of them"
        ) from None
    falling: NDArray[np.float64] = vectors[:, np.argsort(-spectrum, kind="stable")]
    return falling[:, 1:]


def large_rwse(edges: NDArray[np.int32], n: int, width: int, called: str) -> NDArray[np.float64]:
    """(n, width) return probabilities: walks from a block of nodes at a time."""
    if n > MOST_WALK_NODES:
        raise UserError(
            f"{called}: return probabilities of {n} nodes take too long (at most "
            f"{MOST_WALK_NODES}); use --pe lap:{width} or none"
        )
    adjacency, degree = _sparse(edges, n)
    values = np.zeros((n, width))
    for begin in range(0, n, BLOCK):
        nodes = np.arange(begin, min(begin + BLOCK, n))
        here = np.zeros((n, len(nodes)))
        here[nodes, np.arange(len(nodes))] = 1
        for step in range(width):
            here = adjacency @ (here / degree[:, None])
            values[nodes, step] = here[nodes, np.arange(len(nodes))]
    return values
