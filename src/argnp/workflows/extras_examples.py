"""Which examples a report shows, where their nodes are drawn, and what they are called."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from argnp.data.batch import GraphBatch
from argnp.data.dataset import Dataset
from argnp.data.pointclouds import PointCloudSource
from argnp.data.schema import Task
from argnp.data.store import PackedStore
from argnp.model.explain_layout import Int64
from argnp.model.explain_placed import Placed, molecule
from argnp.workflows.open_data import Opened

COUNT: Final = 3
_LOOKED_AT: Final = 200  # test examples that are chosen from
_LARGEST: Final = 500_000  # nodes and relations of a graph that is looked into
_SUPERPIXELS: Final = frozenset({"mnist", "cifar10", "digits", "superpixels"})
_LONGEST: Final = 48  # letters of a title


@dataclass(frozen=True)
class Example:
    """A graph in a batch of its own; ``row`` of its predictions is the one that is explained."""

    title: str
    batch: GraphBatch
    row: int
    truth: float | int | None
    placed: Placed
    ends: tuple[int, ...]  # the node, or the two of the edge, whose prediction it is


def chosen_how(task: Task, *, by_row: bool) -> str:
    """A sentence on what `examples` are."""
    if by_row:
        return f"{task.level.capitalize()}s of the test set, evenly spaced"
    if task.level != "graph":
        which = " of the graph's rarest class" if task.kind == "classification" else ""
        return f"Graphs of the test set, each with one {task.level}{which}"
    if task.kind == "classification":
        return "Examples of the test set, evenly spaced over its classes"
    return "Examples of the test set, with a low, a middle and a high target"


def examples(opened: Opened) -> list[Example]:
    """Up to three of the test set, looked at when nothing is left to be chosen."""
    dataset = opened.dataset
    nodes, relations = dataset.source.sizes()
    found = _by_row(dataset) if dataset.by_row else _by_graph(dataset)
    return [
        _example(opened, graph, row, truth)
        for graph, row, truth in found
        if 0 < nodes[graph] + relations[graph] <= _LARGEST
    ]


def _by_graph(dataset: Dataset) -> list[tuple[int, int, float | None]]:
    """(graph, row, truth): of graphs, by target; of nodes and edges, one of the rarest class."""
    candidates = dataset.splits["test"][:_LOOKED_AT]
    if dataset.schema.task.level != "graph":
        spread = candidates[_apart(len(candidates))]
        return [
            (int(graph), *_rarest(_truths(dataset.source.batch(spread[i : i + 1]))))
            for i, graph in enumerate(spread)
        ]
    if not len(candidates):
        return []
    truths = _truths(dataset.source.batch(candidates))
    order = np.argsort(truths, kind="stable")  # NaN last
    order = order[: int(np.isfinite(truths).sum())] if np.isfinite(truths).any() else order
    return [(int(candidates[i]), 0, _known(truths[i])) for i in order[_apart(len(order))]]


def _by_row(dataset: Dataset) -> list[tuple[int, int, float | None]]:
    store = dataset.source
    assert isinstance(store, PackedStore)
    rows = np.asarray(dataset.splits["test"])
    found = []
    for row in rows[_apart(len(rows))]:
        graph = store.owners(row[None])
        within = int(row - store.row_ptr[graph[0]])
        truths = _truths(store.batch(graph, rows=row[None]))
        found.append((int(graph[0]), within, _known(truths[within])))
    return found


def _example(opened: Opened, graph: int, row: int, truth: float | None) -> Example:
    dataset = opened.dataset
    level = dataset.schema.task.level
    batch = dataset.source.batch(np.array([graph], dtype=np.int64))
    title = f"graph {graph}"
    placed = _placed(opened, graph, batch)
    ends: tuple[int, ...] = ()
    if opened.molecules is not None:
        smiles = opened.molecules.smiles[graph]
        title = smiles if len(smiles) <= _LONGEST else f"{smiles[: _LONGEST - 1]}…"
    elif isinstance(dataset.source, PointCloudSource):
        title = f"cloud {graph}"
        if truth is not None and dataset.schema.task.labels:
            title = f"{dataset.schema.task.labels[int(truth)]}, {title}"
    if level == "node":
        ends = (row,)
        title += f", node {row + 1}"
    elif level == "edge":
        topology, named = batch.topology, batch.edge_label_index
        pair = (topology.source, topology.target) if named is None else (named[0], named[1])
        ends = (int(pair[0][row]), int(pair[1][row]))
        title += f", {ends[0] + 1} to {ends[1] + 1}"
    return Example(title, batch, row, truth, placed, ends)


def _placed(opened: Opened, graph: int, batch: GraphBatch) -> Placed:
    dataset = opened.dataset
    if opened.molecules is not None:
        return molecule(opened.molecules.smiles[graph])
    if isinstance(dataset.source, PointCloudSource):
        x, y, z = dataset.source.clouds.points[graph].T.astype(np.float64)
        return Placed(np.stack([x, z, -y], 1))  # z is up in clouds
    if batch.node is not None and batch.node.is_floating_point():
        features = batch.node.double().numpy()
        if dataset.name == "tsp" and features.shape[1] == 2:
            return Placed(features)
        if dataset.name in _SUPERPIXELS and features.shape[1] in (3, 5):
            return Placed(features[:, -2:] * [1, -1])  # rows of an image count downwards
    return Placed()


def _truths(batch: GraphBatch) -> Any:
    """(rows,) class, or first column, of each row; NaN where it is missing."""
    assert batch.target is not None
    target = batch.target.reshape(len(batch.target), -1)[:, 0].double().numpy()
    if batch.weight is None:
        return target
    weight = batch.weight.reshape(len(batch.weight), -1)[:, 0].numpy()
    return np.where(weight > 0, target, np.nan)


def _rarest(truths: Any) -> tuple[int, float | None]:
    """The middle one of the rows whose truth is the rarest."""
    values, counts = np.unique(truths[np.isfinite(truths)], return_counts=True)
    if not len(values):
        return 0, None
    rows = np.flatnonzero(truths == values[counts.argmin()])
    row = int(rows[len(rows) // 2])
    return row, float(truths[row])


def _apart(count: int) -> Int64:
    """Three places of ``count``: in the middle of each third."""
    return np.unique((np.arange(COUNT) * 2 + 1) * count // (2 * COUNT))[: min(COUNT, count)]


def _known(truth: float) -> float | None:
    return float(truth) if np.isfinite(truth) else None
