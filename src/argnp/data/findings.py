"""What is odd about a packed dataset, finding by finding."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Dataset, Split
from argnp.data.duplicates import cloud_hashes, graph_hashes
from argnp.data.hashing import BLOCK, Hashes
from argnp.data.pointclouds import PointCloudSource
from argnp.data.raw import Array, owner
from argnp.data.splits import NAMES
from argnp.data.store import PackedStore

Int64 = NDArray[np.int64]
Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True)
class Finding:
    """One thing worth knowing, in a sentence."""

    severity: Severity
    text: str


def findings(dataset: Dataset) -> Iterator[Finding]:
    """All that can be said without training."""
    source = dataset.source
    if isinstance(source, PackedStore):
        yield from structure(source)
        yield from constant(source)
        yield from labels(dataset, source.y, source.row_ptr)
        if not dataset.by_row and len(source) > 1:
            yield from copies(dataset, graph_hashes(source), source.ids)
    elif isinstance(source, PointCloudSource):
        yield from labels(dataset, source.clouds.y, np.arange(len(source) + 1))
        yield from copies(dataset, cloud_hashes(source.clouds), None)


def structure(store: PackedStore) -> Iterator[Finding]:
    """Nodes without edges, graphs without edges."""
    alone = store.degree == 0
    if not store.undirected:
        out = store.source + store.node_ptr[owner(store.relation_ptr)]
        alone = alone & (np.bincount(out, minlength=len(alone)) == 0)
    isolated, edgeless = int(alone.sum()), int((np.diff(store.edge_ptr) == 0).sum())
    if isolated:
        share = isolated / len(alone)
        kind: Severity = "warning" if share > 0.1 else "info"
        yield Finding(kind, f"{isolated} of {len(alone)} nodes ({share:.1%}) have no edge")
    if edgeless:
        kind = "warning" if edgeless > len(store) / 10 else "info"
        yield Finding(kind, f"{edgeless} of {len(store)} graphs have no edges")


def constant(store: PackedStore) -> Iterator[Finding]:
    """Feature columns that say nothing."""
    for of, rows in (("node", store.node), ("edge", store.edge)):
        same = _constant_columns(rows) if rows is not None and len(rows) > 1 else ()
        if len(same):
            named = ", ".join(map(str, same[:8])) + (", .." if len(same) > 8 else "")
            yield Finding("warning", f"{of} feature column {named} is the same everywhere")


def _constant_columns(rows: Array) -> NDArray[np.int64]:
    """Found a block of rows at a time, until no column is left that could be constant."""
    same = np.ones(rows.shape[1], dtype=bool)
    step = max(1, BLOCK // max(1, rows.shape[1]))
    for begin in range(0, len(rows), step):
        same &= (rows[begin : begin + step] == rows[0]).all(axis=0)
        if not same.any():
            break
    return np.flatnonzero(same)


def labels(dataset: Dataset, y: Array | None, row_ptr: Int64) -> Iterator[Finding]:
    """Targets that teach little, and classes that training does not see."""
    task = dataset.schema.task
    parts = {name: _rows_of(dataset, y, row_ptr, name) for name in NAMES}
    if task.kind == "classification":
        counts = {n: np.bincount(c[c >= 0], minlength=task.outputs) for n, c in parts.items()}
        for name in NAMES[1:]:
            unseen = np.flatnonzero((counts["train"] == 0) & (counts[name] > 0))
            if len(unseen):
                yield Finding("warning", f"class {unseen[0]} is in {name} but not in train")
        seen = counts["train"][counts["train"] > 0]
        if len(seen) == 1:
            yield Finding("warning", "all training targets are of one class")
        elif len(seen) and seen.max() > 20 * seen.min():
            rare, common = seen.min() / seen.sum(), seen.max() / seen.sum()
            yield Finding(
                "warning",
                f"classes are unbalanced: the rarest is {rare:.2%}, the largest {common:.1%}",
            )
        return
    for column in range(task.outputs):
        known = parts["train"][:, column]
        known = known[~np.isnan(known)]
        named = task.labels[column] if task.labels else str(column)
        if not len(known):
            yield Finding("warning", f"target column {named} is missing in all of train")
        elif known.min() == known.max():
            yield Finding("warning", f"target column {named} is {known[0]:g} in all of train")


def _rows_of(dataset: Dataset, y: Array | None, row_ptr: Int64, name: Split) -> Array:
    """Targets of a split."""
    items = dataset.splits[name]
    if y is None:
        return np.empty((0, dataset.schema.task.outputs))
    if dataset.by_row:
        return y[items]
    chosen = np.zeros(len(row_ptr) - 1, dtype=bool)
    chosen[items] = True
    rows: Array = y[np.repeat(chosen, np.diff(row_ptr))]
    return rows


def copies(dataset: Dataset, hashes: Hashes, ids: Int64 | None) -> Iterator[Finding]:
    """Graphs alike within a split, and across splits, where they leak what is to be predicted.

    ``hashes`` (G,) are equal for graphs that are; ``ids`` are their rows in a file.
    """
    train = dataset.splits["train"]
    again = len(train) - len(np.unique(hashes[train]))
    if again:
        yield Finding("info", f"{again} of {len(train)} training graphs look like an earlier one")
    pairs: tuple[tuple[Split, Split], ...] = (("val", "train"), ("test", "train"), ("test", "val"))
    for name, other in pairs:
        known = dataset.splits[other]
        leaked = np.flatnonzero(np.isin(hashes[dataset.splits[name]], hashes[known]))
        if len(leaked):
            graph = int(dataset.splits[name][leaked[0]])
            twin = int(known[np.flatnonzero(hashes[known] == hashes[graph])[0]])
            called = "graphs" if ids is None else "rows"
            first, second = (g if ids is None else int(ids[g]) for g in (graph, twin))
            yield Finding(
                "warning",
                f"{len(leaked)} of {len(dataset.splits[name])} {name} graphs look like one in "
                f"{other} (the first: {called} {first} and {second}); {name} results may flatter",
            )
