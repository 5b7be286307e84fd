"""New graphs in any of their forms, packed as the network's training data was."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from argnp.data.conform import conform
from argnp.data.dataset import Dataset, GraphSource
from argnp.data.pointclouds import PointCloudSource, nearest_points
from argnp.data.pyg import from_stacks
from argnp.data.pyg_stack import stack_collated, stack_list
from argnp.data.raw import Array, RawGraphs
from argnp.data.relations import resolve
from argnp.data.remake import unpack
from argnp.data.schema import Features, Schema
from argnp.data.store import PackedStore
from argnp.errors import UserError
from argnp.model.manifest import Manifest


def open_graphs(data: Any, manifest: Manifest, *, targets: bool = False) -> GraphSource:
    """A source that the manifest's network can read, or a UserError that says what is in the way.

    ``data``: a Dataset, RawGraphs, a PyG dataset, a list of Data, a Data or Batch, or a tuple
    of such. Relation mode, encoding and feature columns are those of the training data,
    whatever a Dataset was made with. ``targets``: the data is labelled, and its classes are
    numbered as the network's are.
    """
    schema = manifest.schema
    if not isinstance(data, Dataset):
        raw = data if isinstance(data, RawGraphs) else _raw(data, schema, targets=targets)
    elif _fits(data, schema, targets=targets):
        _require_neighbours(data, manifest.neighbours)
        return data.source
    elif isinstance(data.source, PackedStore):
        raw = _unpack(data.source, data.schema)
    else:
        raise UserError(f"{data.name}: {_difference(data.schema, schema)}")
    raw = _with_neighbours(raw, manifest.neighbours)
    if not targets:
        raw = replace(raw, y=None, level=schema.task.level)
    pairs = raw.edge_label_index is not None
    if schema.task.level == "edge" and pairs != schema.task.pairs:
        raise UserError(
            "the model predicts node pairs that the data names itself, and this data has no "
            "edge_label_index"
            if schema.task.pairs
            else "the model predicts the edges of a graph; this data names pairs of its own: drop "
            "edge_label_index"
        )
    try:
        return conform(raw, schema, targets=targets)
    except UserError:
        _require_symmetry(raw, schema)
        raise


def _require_symmetry(raw: RawGraphs, schema: Schema) -> None:
    """Says what undirected relations ask of the data, where that is what it lacks."""
    if schema.relations != "undirected" or not raw.num_edges:
        return
    per_edge = raw.y if raw.level == "edge" and raw.edge_label_index is None else None
    mode, _, why = resolve(raw, "auto", [c for c in (raw.edge_attr, per_edge) if c is not None])
    if mode == "directed":
        raise UserError(
            f"the model was trained on undirected relations; here {why.split(':')[0]}; "
            "give every edge its reverse with equal features, or fit with --relations directed"
        )


def _raw(data: Any, schema: Schema, *, targets: bool) -> RawGraphs:
    from torch_geometric.data import Batch, Data

    if isinstance(data, Batch):
        data = data.to_data_list()
    elif isinstance(data, Data):
        data = [data]
    elif isinstance(data, tuple):
        data = list(
            chain.from_iterable([part] if isinstance(part, Data) else part for part in data)
        )
    stacks = stack_collated(data)
    if stacks is None:
        stacks = stack_list(_checked(data))
    if not targets:
        kept = {n: s for n, s in stacks.by_name.items() if n not in ("y", "edge_label")}
        if schema.task.level != "edge":
            kept.pop("edge_label_index", None)
        stacks = stacks._replace(by_name=kept)
    return from_stacks(stacks, schema.task.level)


def _checked(data: Any) -> Sequence[Any]:
    from torch_geometric.data import Data

    if isinstance(data, str) or not (hasattr(data, "__getitem__") and hasattr(data, "__len__")):
        raise UserError(
            f"data of type {type(data).__name__} is not understood; give a list of Data, a PyG "
            "dataset, a Batch or a Dataset"
        )
    graphs = [data[i] for i in range(len(data))]
    for number, graph in enumerate(graphs):
        if not isinstance(graph, Data):
            raise UserError(f"item {number} is of type {type(graph).__name__}, not Data")
    if not graphs:
        raise UserError("there are no graphs in the data")
    return graphs


def _fits(data: Dataset, schema: Schema, *, targets: bool) -> bool:
    """Whether the dataset is packed as the network's training data was."""
    there, task = data.schema, data.schema.task
    same = (there.node, there.edge, there.encoding, there.relations) == (
        schema.node,
        schema.edge,
        schema.encoding,
        schema.relations,
    )
    if targets:
        return same and task == schema.task
    return same and (task.level, task.pairs) == (schema.task.level, schema.task.pairs)


def _require_neighbours(data: Dataset, expected: int | None) -> None:
    """Of clouds: the edges are made by the source, as many per point as it was told."""
    found = data.source.neighbours if isinstance(data.source, PointCloudSource) else None
    if None not in (found, expected) and found != expected:
        raise UserError(
            f"{data.name}: points with {found} neighbours each, the model was trained on "
            f"{expected}; make the data anew with neighbours={expected}"
        )


def _difference(found: Schema, expected: Schema) -> str:
    for what in ("task", "node", "edge", "encoding", "relations"):
        one, other = getattr(found, what), getattr(expected, what)
        if one != other:
            return f"the model was trained on {what} {_told(other)}, this data has {_told(one)}"
    return "the data is not of the form the model was trained on"


def _told(value: Any) -> str:
    if isinstance(value, Features):
        width = value.sizes if value.kind == "codes" else value.width
        return f"features of kind {value.kind} ({width})"
    return str(getattr(value, "name", value))


def _unpack(store: PackedStore, schema: Schema) -> RawGraphs:
    """Raw graphs in which a code that the dataset itself did not know is none that is known."""
    raw = unpack(store, schema)
    return replace(
        raw,
        x=_without_unknown(raw.x, schema.node),
        edge_attr=_without_unknown(raw.edge_attr, schema.edge),
        node_sizes=None,
        edge_sizes=None,
    )


def _without_unknown(rows: Array | None, features: Features) -> Array | None:
    if rows is None or features.kind != "codes":
        return rows
    known: Array = np.where(rows < np.array(features.sizes), rows, -1)
    return known


def _with_neighbours(raw: RawGraphs, neighbours: int | None) -> RawGraphs:
    """Point clouds that come without edges get those that the training data had."""
    if neighbours is None or raw.num_edges or raw.pos is None:
        return raw
    edges, counts = [], []
    for begin, end in zip(raw.node_ptr[:-1], raw.node_ptr[1:], strict=True):
        points = raw.pos[begin:end].astype(np.float32)
        k = min(neighbours, len(points) - 1)
        source = nearest_points(points, k).ravel() if k > 0 else np.empty(0, np.int32)
        edges.append(np.stack([source, np.repeat(np.arange(len(points)), max(k, 0))]))
        counts.append(len(source))
    return replace(
        raw,
        edge_index=np.concatenate(edges, axis=1).astype(np.int32),
        edge_ptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
    )
