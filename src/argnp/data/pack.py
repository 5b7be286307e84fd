"""From raw graphs, about which all is decided, to the packed store."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from argnp.data.encodings import NO_ENCODING
from argnp.data.features import node_columns, pack_features
from argnp.data.raw import Array, RawGraphs, owner
from argnp.data.relations import resolve
from argnp.data.schema import Encoding, Features, RelationMode
from argnp.data.store import PackedStore

Int64 = NDArray[np.int64]


@dataclass(frozen=True)
class _Relations:
    """Held relations, in order of storage."""

    ptr: Int64  # (G + 1,)
    edge: Int64  # (R,) the directed edge each is read from
    relation_of: NDArray[np.int32]  # (M,) counted within the graph
    backward: NDArray[np.bool_]  # (M,)


def pack(
    raw: RawGraphs,
    *,
    node: Features,
    edge: Features,
    relations: str,
    y: Array | None,
    encoding: Encoding = NO_ENCODING,
    encoded: NDArray[np.float32] | None = None,
    training: NDArray[np.bool_] | None = None,
) -> tuple[PackedStore, RelationMode, str]:
    """The store, the relation mode that ``relations`` came to, and why.

    ``y`` are the targets, converted as the task wants them, rows as in ``raw.y``; ``training``
    says whose targets decide what ``auto`` relations are.
    """
    x, attributes = node_columns(raw), raw.edge_attr
    per_edge = y is not None and raw.level == "edge" and raw.edge_label_index is None
    mode, reverse, why = resolve(
        raw,
        relations,
        [] if attributes is None else [attributes],
        targets=y if per_edge else None,
        training=training,
    )
    held = _hold(raw, reverse)
    ends = raw.edge_index[:, held.edge]
    everywhere = raw.edge_index[1] + raw.node_ptr[owner(raw.edge_ptr)]
    store = PackedStore(
        node_ptr=raw.node_ptr,
        relation_ptr=held.ptr,
        edge_ptr=raw.edge_ptr,
        source=np.ascontiguousarray(ends[0], dtype=np.int32),
        target=np.ascontiguousarray(ends[1], dtype=np.int32),
        degree=np.bincount(everywhere, minlength=raw.num_nodes).astype(np.float32),
        relation_of=held.relation_of,
        backward=held.backward,
        undirected=mode == "undirected",
        level=raw.level,
        node=pack_features(x, node),
        edge=None if mode == "off" else pack_features(attributes, edge, held.edge),
        encoding=encoded,
        random_signs=encoding.kind == "lap",
        y=y[held.edge] if per_edge and y is not None else y,
        label_ptr=raw.edge_label_ptr,
        label_index=None
        if raw.edge_label_index is None
        else np.ascontiguousarray(raw.edge_label_index.T, dtype=np.int32),
        ids=raw.ids,
    )
    return store, mode, why


def _hold(raw: RawGraphs, reverse: Int64 | None) -> _Relations:
    """Sorts edges by target, then source, within a graph; a pair is held as its first edge."""
    graph = owner(raw.edge_ptr)
    source, target = raw.edge_index.astype(np.int64) + raw.node_ptr[graph]
    key = target * max(raw.num_nodes, 1) + source
    order = np.arange(len(key))
    if (np.diff(key) < 0).any():
        order = np.argsort(key, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    other = rank if reverse is None else rank[reverse]
    first = rank <= other
    edge = order[first[order]]
    number = np.cumsum(first[order]) - 1  # of the held relation, by rank of its first edge
    place = number[np.minimum(rank, other)]
    ptr = np.zeros(len(raw.edge_ptr), dtype=np.int64)
    np.cumsum(np.bincount(graph[edge], minlength=raw.num_graphs), out=ptr[1:])
    return _Relations(ptr, edge, (place - ptr[graph]).astype(np.int32), ~first)
