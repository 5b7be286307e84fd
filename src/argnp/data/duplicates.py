"""Graphs that look the same, whatever the order of their nodes; point clouds that are the same."""

import numpy as np

from argnp.data.hashing import Hashes, mix, mix_rows
from argnp.data.pointclouds import Clouds
from argnp.data.raw import Array, owner
from argnp.data.store import PackedStore

ROUNDS = 4  # of colour refinement


def graph_hashes(store: PackedStore) -> Hashes:
    """(G,) equal for graphs that colour refinement cannot tell apart, features included.

    Every node starts as the hash of its features; in a round it takes in the sum, over the
    edges that end in it, of hashes of the edge's features and of the node they come from. The
    graph is the sum over its nodes. Sums do not know an order.
    """
    shift = store.node_ptr[owner(store.relation_ptr)]
    source, target = store.source + shift, store.target + shift
    relation = _start(store.edge, len(source))
    back = np.flatnonzero(source != target) if store.undirected else np.empty(0, dtype=np.int64)
    colour = _start(store.node, len(store.degree))
    for _ in range(ROUNDS):
        message = mix(colour[source] ^ relation)
        incoming = np.zeros_like(colour)
        np.add.at(incoming, target, message)
        if len(back):
            np.add.at(incoming, source[back], mix(colour[target[back]] ^ relation[back]))
        colour = mix(colour * np.uint64(3) + mix(incoming))
    total = np.zeros(len(store), dtype=np.uint64)
    np.add.at(total, owner(store.node_ptr), colour)
    return mix(total)


def cloud_hashes(clouds: Clouds) -> Hashes:
    """(G,) equal for clouds of the same points in the same order."""
    start = np.zeros(len(clouds.points), dtype=np.uint64)
    return mix_rows(start, clouds.points.reshape(len(start), -1))


def _start(rows: Array | None, count: int) -> Hashes:
    start = np.zeros(count, dtype=np.uint64)
    return mix(start) if rows is None else mix_rows(start, rows)
