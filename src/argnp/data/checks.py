"""What must stop a run before it costs an hour: arrays that contradict themselves."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from argnp.data.raw import Array, RawGraphs
from argnp.errors import UserError

LARGEST = float(np.finfo(np.float32).max)


def check(raw: RawGraphs) -> None:
    """Raises on the first contradiction, naming graph, place and way out."""
    for complaint in _complaints(raw):
        raise UserError(complaint)


def _complaints(raw: RawGraphs) -> Iterator[str]:
    if raw.num_graphs < 1:
        yield "there are no graphs in the data"
    yield from _offsets(raw)
    nodeless = np.flatnonzero(np.diff(raw.node_ptr) == 0)
    if len(nodeless):
        yield f"{raw.called(nodeless[0])} has no nodes; drop it or give it one"
    yield from _ends(raw, raw.edge_index, raw.edge_ptr, "edge")
    if raw.edge_label_index is not None and raw.edge_label_ptr is not None:
        yield from _ends(raw, raw.edge_label_index, raw.edge_label_ptr, "edge_label_index column")
    yield from _lengths(raw)
    yield from _numbers(raw, raw.x, raw.node_ptr, "node", "x")
    yield from _numbers(raw, raw.pos, raw.node_ptr, "node", "pos")
    yield from _numbers(raw, raw.edge_attr, raw.edge_ptr, "edge", "edge_attr")
    yield from _targets(raw)


def _offsets(raw: RawGraphs) -> Iterator[str]:
    for name, ptr in (
        ("node_ptr", raw.node_ptr),
        ("edge_ptr", raw.edge_ptr),
        ("edge_label_ptr", raw.edge_label_ptr),
    ):
        if ptr is None:
            continue
        if len(ptr) != raw.num_graphs + 1 or ptr[0] != 0 or (np.diff(ptr) < 0).any():
            yield f"{name} must rise from 0, with one more entry than there are graphs"
    if (raw.edge_label_index is None) != (raw.edge_label_ptr is None):
        yield "edge_label_index and edge_label_ptr go together; one is missing"
    if raw.edge_label_index is not None and raw.level != "edge":
        yield f"edge_label_index goes with targets of edges, these are of level {raw.level}"


def _ends(
    raw: RawGraphs, index: NDArray[np.int32], ptr: NDArray[np.int64], of: str
) -> Iterator[str]:
    if index.shape != (2, int(ptr[-1])):
        yield f"the {of}s have shape {index.shape}, their offsets ask for {(2, int(ptr[-1]))}"
        return
    nodes = np.repeat(np.diff(raw.node_ptr), np.diff(ptr))
    wrong = np.flatnonzero(((index < 0) | (index >= nodes)).any(axis=0))
    if len(wrong):
        graph = int(np.searchsorted(ptr, wrong[0], side="right")) - 1
        s, t = index[:, wrong[0]]
        yield (
            f"{raw.called(graph)}, {of} {wrong[0] - ptr[graph]}: {s} -> {t}, but the graph's "
            f"{nodes[wrong[0]]} nodes are numbered from 0; mend the index or num_nodes"
        )


def _lengths(raw: RawGraphs) -> Iterator[str]:
    for name, rows, wanted, what in (
        ("x", raw.x, raw.num_nodes, "nodes"),
        ("pos", raw.pos, raw.num_nodes, "nodes"),
        ("edge_attr", raw.edge_attr, raw.num_edges, "edges"),
    ):
        if rows is None:
            continue
        if rows.ndim != 2:
            yield f"{name} has {rows.ndim} dimensions; it must have 2, (rows, columns)"
        elif len(rows) != wanted:
            yield f"{name} has {len(rows)} rows for {wanted} {what}; each needs one"
        elif rows.dtype.kind not in "iuf":
            yield f"{name} is of type {rows.dtype}; it must hold integers or real numbers"
    for name, values in (("ids", raw.ids), ("groups", raw.groups)):
        if values is not None and values.shape != (raw.num_graphs,):
            yield f"{name} has shape {values.shape} for {raw.num_graphs} graphs; each needs one"


def _numbers(
    raw: RawGraphs, rows: Array | None, ptr: NDArray[np.int64], of: str, name: str
) -> Iterator[str]:
    if rows is None or rows.dtype.kind != "f" or not rows.size:
        return
    if rows.min() >= -LARGEST and rows.max() <= LARGEST:  # of NaN, both are NaN
        return
    wrong = np.argwhere(~(np.abs(rows) <= LARGEST))
    if len(wrong):
        row, column = (int(i) for i in wrong[0])
        graph = int(np.searchsorted(ptr, row, side="right")) - 1
        yield (
            f"{raw.called(graph)}, {of} {row - ptr[graph]}: {name} column {column} is "
            f"{rows[row, column]}; features must be finite (float32), fill or drop it"
        )


def _targets(raw: RawGraphs) -> Iterator[str]:
    if raw.y is None:
        return
    wanted = int(raw.row_ptr[-1])
    if raw.y.ndim not in (1, 2) or raw.y.dtype.kind not in "iuf":
        yield f"y has shape {raw.y.shape}, type {raw.y.dtype}; it must be 1-d or 2-d numbers"
    elif len(raw.y) != wanted:
        yield f"y has {len(raw.y)} rows, the {raw.level} targets of this data are {wanted}"
    elif raw.y.ndim == 2 and raw.y.shape[1] == 0:
        yield "y has no columns; there is nothing to predict"
    elif (np.abs(raw.y) > LARGEST).any():
        row = int(np.argwhere(np.abs(raw.y) > LARGEST)[0, 0])
        yield f"{raw.row_called(row)}: the target is infinite (float32); NaN stands for missing"
