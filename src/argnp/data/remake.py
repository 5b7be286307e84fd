"""A dataset once more, with other relations, another encoding or another metric."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import structs

from argnp.data.dataset import Dataset, Split
from argnp.data.encodings import Edges, encode_edges
from argnp.data.infer import infer_metric
from argnp.data.ingest import Int64, ingest
from argnp.data.raw import Array, RawGraphs, owner
from argnp.data.schema import Encoding, Schema
from argnp.data.splits import NAMES
from argnp.data.store import PackedStore
from argnp.errors import UserError


def unpack(store: PackedStore, schema: Schema) -> RawGraphs:
    """The raw graphs a store was packed from, edges in the order in which they came."""
    graph = owner(store.edge_ptr)
    relation = store.relation_of + store.relation_ptr[graph]
    forth = np.stack([store.source[relation], store.target[relation]])
    edge_index = np.where(store.backward, forth[::-1], forth)
    per_relation = store.level == "edge" and store.label_index is None
    y: Array | None = store.y[relation] if store.y is not None and per_relation else store.y
    return RawGraphs(
        node_ptr=store.node_ptr,
        edge_ptr=store.edge_ptr,
        edge_index=edge_index,
        x=_signed(store.node),
        edge_attr=None if store.edge is None else _signed(store.edge[relation]),
        y=y,
        level=store.level,
        edge_label_index=None
        if store.label_index is None
        else np.ascontiguousarray(store.label_index.T),
        edge_label_ptr=store.label_ptr,
        labels=_labels(schema),
        node_sizes=schema.node.sizes if schema.node.kind == "codes" else None,
        edge_sizes=schema.edge.sizes if schema.edge.kind == "codes" else None,
        ids=store.ids,
    )


def remake(
    dataset: Dataset,
    *,
    relations: str | None = None,
    encoding: Encoding | None = None,
    metric: str | None = None,
    cache: Path | None = None,
) -> Dataset:
    """The dataset with what is told changed; the dataset itself where nothing is."""
    schema, store = dataset.schema, dataset.source
    if metric is not None:
        dataset = replace(dataset, metric=infer_metric(schema.task, metric)[0])
    if relations in (None, "auto", schema.relations) and encoding in (None, schema.encoding):
        return dataset
    if not isinstance(store, PackedStore):
        raise UserError(f"{dataset.name}: relations and encodings are fixed by its kind of graphs")
    if schema.relations == "off" and relations not in (None, "off"):
        raise UserError(f"{dataset.name} was made with relations off; make it again without")
    if relations in (None, "auto", schema.relations):
        return _encoded(dataset, store, encoding or schema.encoding, cache)
    made = ingest(
        unpack(store, schema),
        name=dataset.name,
        splits=_edge_rows(dataset, store) if dataset.by_row else dataset.splits,
        by_row=dataset.by_row,
        task=schema.task.name,
        metric=dataset.metric,
        relations=relations or schema.relations,
        encoding=encoding or schema.encoding,
        cache=cache,
    )
    return replace(made, notes=(*dataset.notes, made.notes[-1]))


def _encoded(
    dataset: Dataset, store: PackedStore, encoding: Encoding, cache: Path | None
) -> Dataset:
    """The same arrays, mapped where they were mapped, with another encoding beside them."""
    edges = Edges(
        store.node_ptr,
        store.relation_ptr,
        store.source,
        store.target,
        lambda g: f"graph {g}" if store.ids is None else f"row {int(store.ids[g])}",
    )
    encoded = encode_edges(edges, encoding, cache)
    return replace(
        dataset,
        source=replace(store, encoding=encoded, random_signs=encoding.kind == "lap"),
        schema=structs.replace(dataset.schema, encoding=encoding),
    )


def _edge_rows(dataset: Dataset, store: PackedStore) -> dict[Split, Int64]:
    """Rows of the raw targets: of directed edges where the store's are of held relations."""
    if store.level != "edge" or store.label_index is not None:
        return {name: dataset.splits[name] for name in NAMES}
    relation = store.input_rows(np.arange(len(store)))
    return {n: np.flatnonzero(np.isin(relation, dataset.splits[n])) for n in NAMES}


def _signed(rows: Array | None) -> Array | None:
    if rows is None or rows.dtype.kind == "f":
        return rows
    return rows.astype(np.int64)


def _labels(schema: Schema) -> tuple[str, ...]:
    task = schema.task
    if task.kind == "classification" and not task.labels:
        return tuple(map(str, range(task.outputs)))
    return task.labels
