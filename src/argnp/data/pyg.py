"""PyG's Data, many of them, as plain arrays."""

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from argnp.data.pyg_stack import Stack, Stacks, stack_list
from argnp.data.raw import Array, RawGraphs
from argnp.data.schema import Level
from argnp.errors import UserError

Int64 = NDArray[np.int64]


def level_of(task: str | None) -> Level | None:
    """``node`` of ``node-classification``; a task that is not known is left to be refused later."""
    level = (task or "").split("-")[0]
    return cast(Level, level) if level in ("graph", "node", "edge") else None


def from_data_list(graphs: Sequence[Any], level: Level | None = None) -> RawGraphs:
    """Raw graphs of a list of ``torch_geometric.data.Data``; see :func:`from_stacks`."""
    return from_stacks(stack_list(graphs), level)


def from_stacks(stacks: Stacks, level: Level | None = None) -> RawGraphs:
    """Raw graphs of what PyG graphs hold.

    ``x``, ``edge_attr``, ``pos``: 1-d or 2-d. ``edge_weight`` joins ``edge_attr`` where that is
    of real numbers or absent. Targets are ``edge_label`` of ``edge_label_index`` where there is
    one, else ``y``, of ``level``, or of the level that its rows fit in every graph.
    """
    found, nodes = stacks
    edge_index, edges = _ends(found.get("edge_index"), "edge_index", nodes)
    raw = RawGraphs(
        _ptr(nodes),
        _ptr(edges),
        edge_index,
        x=_columns(found, "x", nodes, "nodes"),
        pos=_columns(found, "pos", nodes, "nodes"),
        edge_attr=_with_weights(
            _columns(found, "edge_attr", edges, "edges"),
            _columns(found, "edge_weight", edges, "edges"),
        ),
    )
    if "edge_label_index" in found and level in (None, "edge"):
        index, counts = _ends(found["edge_label_index"], "edge_label_index", nodes)
        return replace(
            raw,
            level="edge",
            y=_flat(_columns(found, "edge_label", counts, "edge_label_index columns")),
            edge_label_index=index,
            edge_label_ptr=_ptr(counts),
        )
    if "y" not in found:
        return replace(raw, level=level or "graph")
    level = level or _level(found["y"], nodes, edges)
    if level == "graph":
        found = {**found, "y": _one_row_each(found["y"])}
    wanted = {"graph": np.ones_like(nodes), "node": nodes, "edge": edges}[level]
    return replace(raw, level=level, y=_flat(_columns(found, "y", wanted, f"{level}s")))


def weights_are_left_out(stacks: Stacks) -> bool:
    """Whether there are edge weights beside edge features that are codes."""
    found = stacks.by_name
    if "edge_weight" not in found or "edge_attr" not in found:
        return False
    return not found["edge_attr"].rows.dtype.is_floating_point


def _level(y: Stack, nodes: Int64, edges: Int64) -> Level:
    """The level at which every graph's y has a row for each: graph before node before edge.

    A y of one row is the graph's. A flat y is the graph's too where no other level fits.
    """
    if (y.counts == 1).all():
        return "graph"
    if (y.counts == nodes).all():
        return "node"
    if (y.counts == edges).all():
        return "edge"
    if y.rows.ndim == 1 and (y.counts == y.counts[0]).all():
        return "graph"
    first = int(np.flatnonzero(y.counts != nodes)[0])
    raise UserError(
        f"graph {first}: y has {y.counts[first]} rows for {nodes[first]} nodes and "
        f"{edges[first]} edges; give one row per graph, node or edge, and say --task"
    )


def _one_row_each(y: Stack) -> Stack:
    """Whatever a graph's target was shaped like, one row of it."""
    odd = np.flatnonzero(y.counts != y.counts[0])
    if len(odd):
        raise UserError(
            f"graph {odd[0]}: y has {y.counts[odd[0]]} numbers, graph 0 has {y.counts[0]}; "
            "a graph's target has as many in every graph"
        )
    return Stack(y.rows.reshape(len(y.counts), -1), np.ones_like(y.counts))


def _columns(found: dict[str, Stack], name: str, wanted: Int64, what: str) -> Array | None:
    """(rows, columns), with as many rows in every graph as ``wanted``."""
    if name not in found:
        return None
    rows, counts = found[name]
    wrong = np.flatnonzero(counts != wanted)
    if len(wrong):
        i = wrong[0]
        raise UserError(f"graph {i}: {name} has {counts[i]} rows for {wanted[i]} {what}")
    rows = rows.reshape(rows.shape[0], prod(rows.shape[1:]))
    if rows.dtype == torch.bool:
        rows = rows.to(torch.int64)
    elif rows.dtype in (torch.float16, torch.bfloat16):
        rows = rows.to(torch.float32)
    array: Array = rows.contiguous().numpy()
    return array


def _flat(rows: Array | None) -> Array | None:
    """A single column as 1-d."""
    return rows[:, 0] if rows is not None and rows.shape[1] == 1 else rows


def _with_weights(attributes: Array | None, weights: Array | None) -> Array | None:
    if weights is None or (attributes is not None and attributes.dtype.kind != "f"):
        return attributes
    return weights if attributes is None else np.concatenate([attributes, weights], axis=1)


def _ends(pairs: Stack | None, name: str, nodes: Int64) -> tuple[NDArray[np.int32], Int64]:
    """(2, pairs) node numbers as small integers, and how many pairs every graph has."""
    if pairs is None:
        return np.empty((2, 0), dtype=np.int32), np.zeros_like(nodes)
    rows = pairs.rows.numpy()
    if rows.size and (rows.min() < 0 or rows.max() > np.iinfo(np.int32).max):
        row = int(np.flatnonzero(((rows < 0) | (rows > np.iinfo(np.int32).max)).any(axis=1))[0])
        graph = int(np.searchsorted(_ptr(pairs.counts), row, side="right")) - 1
        raise UserError(
            f"graph {graph}: {name} names the nodes {rows[row, 0]} and {rows[row, 1]}; "
            "nodes are counted from 0"
        )
    return np.ascontiguousarray(rows.T, dtype=np.int32), pairs.counts


def _ptr(counts: Int64) -> Int64:
    ptr = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=ptr[1:])
    return ptr
