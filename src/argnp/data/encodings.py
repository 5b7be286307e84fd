"""Positional encodings of nodes: Laplacian eigenvectors, random-walk return probabilities.

Both follow from the symmetric normalised adjacency ``S = D^-1/2 A D^-1/2`` of the symmetrised
graph (A holds 0 and 1), ``S = U diag(s) U^T``:

- ``lap``: the eigenvectors of ``I - S`` of smallest eigenvalue, the very first dropped;
- ``rwse``: ``diag((D^-1 A)^t) = sum_j U_ij^2 s_j^t`` for t = 1 .. k.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from argnp.data.encodings_large import large_lap, large_rwse
from argnp.data.hashing import digest
from argnp.data.mapped import make_array, read_array
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding
from argnp.data.spans import cut

Int64 = NDArray[np.int64]
Matrix = NDArray[np.float64]

NO_ENCODING = Encoding()
DENSE = 1500  # nodes; beyond, a full spectrum costs more than the few vectors wanted
FORMAT = 1  # of the encodings kept; raise it when they are computed in another way
CHUNK = 4_000_000  # numbers of the matrices decomposed at a time


@dataclass(frozen=True)
class Edges:
    """The edges of many graphs, each at least one way; the other way does not change anything.

    ``called`` is how a message names a graph.
    """

    node_ptr: Int64  # (G + 1,)
    ptr: Int64  # (G + 1,)
    source: NDArray[np.int32]  # (M,) counted within each graph
    target: NDArray[np.int32]  # (M,)
    called: Callable[[int], str]


def encode(
    raw: RawGraphs, encoding: Encoding, cache: Path | None = None
) -> NDArray[np.float32] | None:
    """(N, width) encodings of raw graphs; see :func:`encode_edges`."""
    edges = Edges(raw.node_ptr, raw.edge_ptr, raw.edge_index[0], raw.edge_index[1], raw.called)
    return encode_edges(edges, encoding, cache)


def encode_edges(
    edges: Edges, encoding: Encoding, cache: Path | None = None
) -> NDArray[np.float32] | None:
    """(N, width) encodings, computed once for the same edges where a ``cache`` folder is given.

    A cache that cannot be read or written costs time, never a run. Large encodings stay there,
    in their file, and are mapped.
    """
    if encoding.kind == "none" or encoding.width == 0:
        return None
    shape = int(edges.node_ptr[-1]), encoding.width

    def fill(values: NDArray[np.float32]) -> None:
        _compute(edges, encoding, values)

    if cache is not None:
        parts = [("nodes", edges.node_ptr), ("ptr", edges.ptr)]
        key = digest([*parts, ("source", edges.source), ("target", edges.target)])
        file = cache / f"{encoding.kind}-{encoding.width}-v{FORMAT}-{key[:32]}.npy"
        found = _kept(file, shape)
        if found is not None:
            return found
        try:
            cache.mkdir(parents=True, exist_ok=True)
            return make_array(file, shape, fill)
        except OSError:
            pass
    values = np.zeros(shape, dtype=np.float32)
    fill(values)
    return values


def _kept(file: Path, shape: tuple[int, int]) -> NDArray[np.float32] | None:
    try:
        found: NDArray[np.float32] = read_array(file)
    except (ValueError, OSError, EOFError):
        return None
    return found if found.shape == shape and found.dtype == np.float32 else None


def _compute(edges: Edges, encoding: Encoding, values: NDArray[np.float32]) -> None:
    """Fills ``values`` (N, width)."""
    sizes = np.diff(edges.node_ptr)

    def dense(graphs: Int64) -> None:
        nodes = cut(edges.node_ptr, graphs).index
        spectrum, vectors = np.linalg.eigh(_adjacency(edges, graphs, int(sizes[graphs[0]])))
        found = (_lap if encoding.kind == "lap" else _rwse)(spectrum, vectors, encoding.width)
        values[nodes] = found.reshape(-1, encoding.width)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for _ in pool.map(dense, _chunks(sizes)):
            pass
    for graph in np.flatnonzero(sizes > DENSE):
        own = slice(*edges.ptr[graph : graph + 2])
        nodes = slice(*edges.node_ptr[graph : graph + 2])
        ends = np.stack([edges.source[own], edges.target[own]])
        called, n = edges.called(int(graph)), int(sizes[graph])
        if encoding.kind == "lap":
            values[nodes] = fix_signs(large_lap(ends, n, encoding.width, called))
        else:
            values[nodes] = large_rwse(ends, n, encoding.width, called)


def _chunks(sizes: Int64) -> Iterator[Int64]:
    """Graphs of equal size, together, as many as fit a chunk."""
    for n in np.unique(sizes[(sizes > 0) & (sizes <= DENSE)]):
        graphs = np.flatnonzero(sizes == n)
        yield from np.array_split(graphs, -(-len(graphs) * int(n) ** 2 // CHUNK))


def _adjacency(edges: Edges, graphs: Int64, n: int) -> Matrix:
    """(B, n, n) S of graphs of n nodes each; a node without edges has a row of zeros."""
    own = cut(edges.ptr, graphs)
    source, target = edges.source[own.index], edges.target[own.index]
    which = np.repeat(np.arange(len(graphs)), own.counts)
    matrix = np.zeros((len(graphs), n, n))
    matrix[which, source, target] = 1
    matrix[which, target, source] = 1
    scale = np.maximum(matrix.sum(axis=-1), 1) ** -0.5
    matrix *= scale[:, :, None]
    matrix *= scale[:, None, :]
    return matrix


def _lap(spectrum: Matrix, vectors: Matrix, width: int) -> Matrix:
    """(B, n, width), 0 where there are not that many. The spectrum of S ascends, I - S's falls."""
    found = fix_signs(vectors[:, :, ::-1][:, :, 1 : width + 1])
    padded = np.zeros((*vectors.shape[:2], width))
    padded[:, :, : found.shape[2]] = found
    return padded


def _rwse(spectrum: Matrix, vectors: Matrix, width: int) -> Matrix:
    """(B, n, width) probabilities of being back after 1 .. width steps."""
    powers = spectrum[:, :, None] ** np.arange(1, width + 1)
    return np.clip(np.square(vectors) @ powers, 0, 1)


def fix_signs(vectors: Matrix) -> Matrix:
    """Columns (.., n, k), each with its largest entry (the first of equals) positive."""
    size = np.abs(vectors)
    top = size.max(axis=-2, keepdims=True, initial=0)
    first = np.argmax(size >= top * (1 - 1e-6), axis=-2)[..., None, :]
    return vectors * np.where(np.take_along_axis(vectors, first, axis=-2) < 0, -1.0, 1.0)
