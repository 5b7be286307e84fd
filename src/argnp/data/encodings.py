"""Positional encodings of nodes: Laplacian eigenvectors, random-walk return probabilities.

Both follow from the symmetric normalised adjacency ``S = D^-1/2 A D^-1/2`` of the symmetrised
graph (A holds 0 and 1), ``S = U diag(s) U^T``:

- ``lap``: the eigenvectors of ``I - S`` of smallest eigenvalue, the very first dropped;
- ``rwse``: ``diag((D^-1 A)^t) = sum_j U_ij^2 s_j^t`` for t = 1 .. k.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from argnp.data.encodings_large import large_lap, large_rwse
from argnp.data.hashing import digest
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding
from argnp.data.spans import cut

Int64 = NDArray[np.int64]
Matrix = NDArray[np.float64]

NO_ENCODING = Encoding()
DENSE = 1500  # nodes; beyond, a full spectrum costs more than the few vectors wanted
CHUNK = 4_000_000  # numbers of the matrices decomposed at a time


def encode(
    raw: RawGraphs, encoding: Encoding, cache: Path | None = None
) -> NDArray[np.float32] | None:
    """(N, width) encodings, computed once for the same edges where a ``cache`` folder is given."""
    if encoding.kind == "none" or encoding.width == 0:
        return None
    if cache is None:
        return _compute(raw, encoding)
    key = digest([("nodes", raw.node_ptr), ("ptr", raw.edge_ptr), ("edges", raw.edge_index)])
    file = cache / f"{encoding.kind}-{encoding.width}-{key[:32]}.npy"
    if file.is_file():
        try:
            found: NDArray[np.float32] = np.load(file, allow_pickle=False)
        except (ValueError, OSError, EOFError):
            found = np.empty(0, dtype=np.float32)
        if found.shape == (raw.num_nodes, encoding.width):
            return found
    values = _compute(raw, encoding)
    cache.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    with draft.open("wb") as out:
        np.save(out, values)
    draft.replace(file)
    return values


def _compute(raw: RawGraphs, encoding: Encoding) -> NDArray[np.float32]:
    values = np.zeros((raw.num_nodes, encoding.width), dtype=np.float32)
    sizes = np.diff(raw.node_ptr)

    def dense(graphs: Int64) -> None:
        nodes = cut(raw.node_ptr, graphs).index
        spectrum, vectors = np.linalg.eigh(_adjacency(raw, graphs, int(sizes[graphs[0]])))
        found = (_lap if encoding.kind == "lap" else _rwse)(spectrum, vectors, encoding.width)
        values[nodes] = found.reshape(-1, encoding.width)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(dense, _chunks(sizes)))
    for graph in np.flatnonzero(sizes > DENSE):
        edges = slice(*raw.edge_ptr[graph : graph + 2])
        nodes = slice(*raw.node_ptr[graph : graph + 2])
        called, n = raw.called(int(graph)), int(sizes[graph])
        if encoding.kind == "lap":
            vectors = large_lap(raw.edge_index[:, edges], n, encoding.width, called)
            values[nodes] = fix_signs(vectors)
        else:
            values[nodes] = large_rwse(raw.edge_index[:, edges], n, encoding.width, called)
    return values


def _chunks(sizes: Int64) -> Iterator[Int64]:
    """Graphs of equal size, together, as many as fit a chunk."""
    for n in np.unique(sizes[(sizes > 0) & (sizes <= DENSE)]):
        graphs = np.flatnonzero(sizes == n)
        yield from np.array_split(graphs, -(-len(graphs) * int(n) ** 2 // CHUNK))


def _adjacency(raw: RawGraphs, graphs: Int64, n: int) -> Matrix:
    """(B, n, n) S of graphs of n nodes each; a node without edges has a row of zeros."""
    edges = cut(raw.edge_ptr, graphs)
    source, target = raw.edge_index[:, edges.index]
    which = np.repeat(np.arange(len(graphs)), edges.counts)
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
