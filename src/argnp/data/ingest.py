"""From plain arrays to a dataset that a network can be built for and trained on."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from argnp.data.checks import check
from argnp.data.dataset import Dataset, Split
from argnp.data.encodings import NO_ENCODING, encode
from argnp.data.features import infer_features, node_columns
from argnp.data.hashing import digest
from argnp.data.infer import Inferred, infer_metric, infer_task
from argnp.data.info import WARNING
from argnp.data.pack import pack
from argnp.data.raw import Array, RawGraphs, owner
from argnp.data.schema import Encoding, Features, Schema
from argnp.data.splits import (
    KINDS,
    NAMES,
    Sizes,
    check_splits,
    split_grouped,
    split_random,
    split_stratified,
)
from argnp.data.store import PackedStore
from argnp.errors import UserError

Int64 = NDArray[np.int64]


def ingest(
    raw: RawGraphs,
    *,
    name: str,
    splits: Mapping[Split, Int64] | None = None,
    split: str = "random",
    split_sizes: Sizes = (0.8, 0.1, 0.1),
    by_row: bool = False,
    task: str | None = None,
    metric: str | None = None,
    relations: str = "auto",
    encoding: Encoding = NO_ENCODING,
    seed: int = 0,
    notes: Sequence[str] = (),
    cache: Path | None = None,
) -> Dataset:
    """Checks, infers, splits, encodes and packs.

    ``splits`` are given graph numbers (rows of ``raw.y`` where ``by_row``); without them
    ``split`` draws them: ``random``, ``stratified`` or ``grouped`` (by ``raw.groups``), among
    what has a target. ``cache`` is a folder for encodings.
    """
    check(raw)
    inferred = infer_task(raw, task)
    metric, why_metric = infer_metric(inferred.task, metric)
    told = [*notes, inferred.why, why_metric, *_missing(inferred)]
    if splits is None:
        told.append(f"{split} split, seed {seed}")
    drawn = splits
    if drawn is None and not by_row:
        drawn = _draw(
            raw, inferred.y, raw.row_ptr, by_row=by_row, split=split, sizes=split_sizes, seed=seed
        )
    training = _training_graphs(raw, drawn, by_row)
    node = infer_features(
        node_columns(raw), raw.node_sizes, np.repeat(training, np.diff(raw.node_ptr))
    )
    edge = infer_features(raw.edge_attr, raw.edge_sizes, np.repeat(training, np.diff(raw.edge_ptr)))
    if raw.pos is not None and raw.x is not None and raw.x.dtype.kind != "f":
        told.append("pos is left out: x holds integers; as real numbers it would be joined")
    store, mode, why = pack(
        raw,
        node=node,
        edge=edge,
        relations=relations,
        y=inferred.y,
        encoding=encoding,
        encoded=encode(raw, encoding, cache),
        training=training,
    )
    if drawn is None:
        drawn = _draw(
            raw, store.y, store.row_ptr, by_row=by_row, split=split, sizes=split_sizes, seed=seed
        )
    elif by_row and raw.level == "edge" and raw.edge_label_index is None:
        drawn = _held_rows(store, drawn)
    total = int(store.row_ptr[-1]) if by_row else len(store)
    final = check_splits(drawn, total, inferred.task.level if by_row else "graph")
    return Dataset(
        name=name,
        source=store,
        splits=final,
        schema=Schema(
            inferred.task, node, edge if mode != "off" else Features("none"), encoding, mode
        ),
        metric=metric,
        by_row=by_row,
        fingerprint=_fingerprint(raw, inferred.y, final),
        notes=(*told, why),
    )


def _missing(inferred: Inferred) -> list[str]:
    """A note of the targets that are missing, or a warning where -1 may be a class."""
    if inferred.doubtful:
        return [f"{WARNING}{inferred.missing}: they are -1; if that is a class, count from 0"]
    return [inferred.missing] if inferred.missing else []


def _training_graphs(
    raw: RawGraphs, splits: Mapping[Split, Int64] | None, by_row: bool
) -> NDArray[np.bool_]:
    """(G,) the graphs that training sees; a graph split by row is seen whole."""
    if splits is None:
        return np.ones(raw.num_graphs, dtype=bool)
    total = int(raw.row_ptr[-1]) if by_row else raw.num_graphs
    train = check_splits(splits, total, raw.level if by_row else "graph")["train"]
    seen = np.zeros(raw.num_graphs, dtype=bool)
    seen[owner(raw.row_ptr, train) if by_row else train] = True
    return seen


def _draw(
    raw: RawGraphs,
    y: Array | None,
    row_ptr: Int64,
    *,
    by_row: bool,
    split: str,
    sizes: Sizes,
    seed: int,
) -> dict[Split, Int64]:
    """Splits of the graphs, or of the rows of ``y``, that have a target."""
    if split not in KINDS:
        raise UserError(f"split {split!r} is not known; choose from {', '.join(KINDS)}")
    if y is None:
        raise ValueError("a split is drawn among what has a target")
    known = y >= 0 if y.ndim == 1 else ~np.isnan(y).all(axis=1)
    if not by_row:
        known = np.bincount(owner(row_ptr)[known], minlength=raw.num_graphs) > 0
    items = np.flatnonzero(known)
    if split == "random":
        return split_random(items, sizes, seed)
    if split == "grouped":
        if raw.groups is None:
            raise UserError("a grouped split needs a group for every graph; there are none")
        return split_grouped(
            items, raw.groups[owner(row_ptr, items) if by_row else items], sizes, seed
        )
    if raw.level != "graph" and not by_row:
        raise UserError(
            f"a stratified split needs one target per graph, these are per {raw.level}; "
            "use --split random"
        )
    return split_stratified(items, _stratum(y, items), sizes, seed)


def _stratum(y: Array, items: Int64) -> Array:
    """What a stratified split keeps in proportion: the class, or the first number."""
    first: Array = y[items] if y.ndim == 1 else y[items, 0]
    if first.dtype.kind == "f" and len(np.unique(first[~np.isnan(first)])) <= 2:
        first = np.nan_to_num(first, nan=-1).astype(np.int64)
    return first


def _held_rows(store: PackedStore, splits: Mapping[Split, Int64]) -> dict[Split, Int64]:
    """Rows of held relations in place of the directed edges that they stand for."""
    relation = store.input_rows(np.arange(len(store)))
    return {name: np.unique(relation[splits[name]]) for name in NAMES}


def _fingerprint(raw: RawGraphs, y: Array, splits: Mapping[Split, Int64]) -> str:
    """Of the content: what was read and who trains, not of how it is encoded or packed."""
    return digest(
        [
            ("node_ptr", raw.node_ptr),
            ("edge_ptr", raw.edge_ptr),
            ("edge_index", raw.edge_index),
            ("x", node_columns(raw)),
            ("edge_attr", raw.edge_attr),
            ("y", y),
            ("edge_label_index", raw.edge_label_index),
            *((name, splits[name]) for name in NAMES),
        ]
    )
