"""Which directed edges are each other's reverse, and what that makes of the relations."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from argnp.data.hashing import mix, mix_rows
from argnp.data.raw import Array, RawGraphs, owner
from argnp.data.schema import RelationMode
from argnp.errors import UserError

MODES = ("auto", "directed", "undirected", "off")


def find_reverse(
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    num_nodes: int,
    columns: Sequence[Array] = (),
) -> NDArray[np.int64]:
    """(M,) the edge ``t -> s`` with equal ``columns`` for every edge ``s -> t``; -1 for none.

    Every edge is the reverse of at most one other; a self-loop is its own. Edges of equal ends
    and columns, whichever way they point, share the upper 63 bits of a key whose last bit is
    the direction: sorted by it, each such group holds first one direction, then the other, and
    the i-th of one is matched with the i-th of the other.
    """
    reverse = np.where(source == target, np.arange(len(source)), -1)
    edges = np.flatnonzero(source != target)
    if not len(edges):
        return reverse
    s, t = source[edges], target[edges]
    ends = np.minimum(s, t) * num_nodes + np.maximum(s, t)
    key = mix(ends.view(np.uint64))
    for column in columns:
        key = mix_rows(key, column[edges])
    key = (key & ~np.uint64(1)) | (s > t)
    order = np.argsort(key)
    group = key[order] >> np.uint64(1)
    backward = (key[order] & np.uint64(1)).astype(bool)
    starts = np.flatnonzero(np.diff(group, prepend=~group[0]))
    count = np.diff(starts, append=len(order))
    forwards = np.add.reduceat((~backward).astype(np.int64), starts)
    first, forwards, count = (np.repeat(a, count) for a in (starts, forwards, count))
    place = np.arange(len(order)) - first
    partner = np.where(backward, place - forwards, place + forwards)
    matched = np.where(backward, partner < forwards, partner < count)
    reverse[edges[order[matched]]] = edges[order[(first + partner)[matched]]]
    return _verified(reverse, source, target, columns)


def _verified(
    reverse: NDArray[np.int64],
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    columns: Sequence[Array],
) -> NDArray[np.int64]:
    """Keys are hashes: what they matched is compared once more, itself."""
    equal = (reverse >= 0) & (source[reverse] == target) & (target[reverse] == source)
    for column in columns:
        rows = column[:, None] if column.ndim == 1 else column
        same = rows == rows[reverse]
        if rows.dtype.kind == "f":
            same |= np.isnan(rows) & np.isnan(rows[reverse])
        equal &= same.all(axis=1)
    return np.where(equal, reverse, -1)


def resolve(
    raw: RawGraphs,
    mode: str,
    columns: Sequence[Array],
    targets: Array | None = None,
    training: NDArray[np.bool_] | None = None,
) -> tuple[RelationMode, NDArray[np.int64] | None, str]:
    """What ``mode`` means for this data: the mode, every edge's reverse if undirected, and why.

    ``columns`` are what an edge and its reverse must agree on; and ``targets``, where the edges
    themselves are labelled. Of these, ``auto`` looks at the ``training`` graphs' (G,) alone: no
    target of a test may decide what a network looks like.
    """
    if mode not in MODES:
        raise UserError(f"relations {mode!r} are not known; choose from {', '.join(MODES)}")
    if mode == "off":
        return "off", None, "relations are off: edge features are left out"
    if mode == "directed":
        return "directed", None, "relations are directed, as told"
    graph = owner(raw.edge_ptr)
    shift = raw.node_ptr[graph]
    source, target = raw.edge_index.astype(np.int64) + shift
    if mode == "auto" and raw.num_edges == 0:
        return "directed", None, "there are no edges"
    agreeing = [*columns] if targets is None else [*columns, targets]
    reverse = find_reverse(source, target, raw.num_nodes, agreeing)
    alone = np.flatnonzero(reverse < 0)
    if not len(alone):
        return "undirected", reverse, "every edge has its equal reverse: relations are undirected"
    edge = int(alone[0])
    where = raw.called(int(graph[edge]))
    s, t = raw.edge_index[:, edge]
    if mode == "undirected":
        raise UserError(
            f"{where}: edge {s} -> {t} has no reverse of equal features and target, so relations "
            "cannot be undirected; use relations directed or auto"
        )
    of_training = training is None or training[graph[alone]].any()
    if not of_training and (find_reverse(source, target, raw.num_nodes, columns) >= 0).all():
        raise UserError(
            f"{where}: the targets of edge {s} -> {t} and of its reverse differ, as none do in "
            "training; use --relations directed"
        )
    return (
        "directed",
        None,
        f"{len(alone)} of {raw.num_edges} edges, the first in {where}, have no equal reverse: "
        "relations are directed",
    )
