"""Metrics of a packaged model on labelled graphs."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from argnp.data.dataset import Dataset, GraphSource, Split
from argnp.data.store import PackedStore
from argnp.heads.collector import Collector
from argnp.heads.weights import target_weight
from argnp.model.model import Model
from argnp.model.predicted import batches
from argnp.model.units import combine

Int64 = NDArray[np.int64]


@dataclass(frozen=True)
class Evaluation:
    """Every metric that fits the task, over ``rows`` known targets of ``graphs`` graphs.

    Directed edges are counted, also where two of them are held as one relation.
    """

    metrics: dict[str, float]
    rows: int
    graphs: int


@torch.inference_mode()
def evaluate_source(
    model: Model,
    source: GraphSource,
    *,
    graphs: Int64 | None = None,
    rows: Int64 | None = None,
    ensemble: bool | None = None,
) -> Evaluation:
    """Over the whole set: no mean of batch means.

    ``source`` comes from ``model.open(.., targets=True)``. ``graphs``: only these; ``rows``:
    only these of their target rows.
    """
    task = model.schema.task
    model.uses_ensemble(ensemble)
    graphs = np.arange(len(source)) if graphs is None else graphs
    nodes, relations = source.sizes()
    collector = Collector(task, model.manifest.scaling)
    known = 0
    for chunk in batches(nodes[graphs], relations[graphs]):
        batch = source.batch(graphs[chunk], rows=rows)
        outputs = model.module.outputs(batch, ensemble=ensemble).cpu()
        collector.add(combine(outputs, task.kind), batch)
        weight = target_weight(task.level, batch)
        known += int((weight if weight.dim() == 1 else weight.amax(1)).sum())
    return Evaluation(collector.metrics(), known, len(graphs))


def evaluate_split(
    model: Model, dataset: Dataset, split: Split | None, *, ensemble: bool | None = None
) -> Evaluation:
    """On a split of a dataset, or on all of it."""
    source = model.open(dataset, targets=True)
    if split is None:
        return evaluate_source(model, source, ensemble=ensemble)
    items = dataset.splits[split]
    if not dataset.by_row:
        return evaluate_source(model, source, graphs=items, ensemble=ensemble)
    store = dataset.source
    assert isinstance(store, PackedStore)
    assert isinstance(source, PackedStore)
    rows = items if source is store else _rows_as_packed(store, source, items)
    return evaluate_source(model, source, graphs=source.owners(rows), rows=rows, ensemble=ensemble)


def _rows_as_packed(store: PackedStore, source: PackedStore, rows: Int64) -> Int64:
    """Target rows of a store as those of another that holds the same graphs."""
    if store.level != "edge" or store.label_ptr is not None:
        return rows
    every = np.arange(len(store))
    edges = np.flatnonzero(np.isin(store.input_rows(every), rows))
    return np.unique(source.input_rows(every)[edges])
