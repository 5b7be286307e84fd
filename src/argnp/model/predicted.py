"""Predictions of many graphs, and what each row is of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from argnp.data.batch import GraphBatch
from argnp.data.dataset import GraphSource
from argnp.data.raw import owner
from argnp.data.spans import cut
from argnp.data.store import PackedStore
from argnp.model.module import PackagedNetwork
from argnp.model.units import combine, spread, to_units

MOST_GRAPHS = 256  # in a batch
MOST_ITEMS = 200_000  # nodes and relations of a batch, unless one graph has more
_NOT_FINITE: Final = "the network's answer is no finite number"
Int64 = NDArray[np.int64]
Values = NDArray[np.float32]


@dataclass(frozen=True)
class Predicted:
    """A row per graph, node or directed edge, in the order in which they came.

    ``values`` (rows, outputs): numbers in the units of the targets, or probabilities of classes
    or labels; NaN where there is none, and ``reasons`` says why, by row. ``spread``: standard
    deviation over the networks of an ensemble. ``index``: columns that say what a row is of:
    ``graph``, and ``node``, or ``source`` and ``target``, counted from 0 within the graph.
    """

    values: Values
    spread: Values | None = None
    index: Mapping[str, Int64] = field(default_factory=dict)
    reasons: Mapping[int, str] = field(default_factory=dict)


def predict_source(
    module: PackagedNetwork, source: GraphSource, *, ensemble: bool | None = None
) -> Iterator[Predicted]:
    """All graphs of a source, some at a time."""
    for graphs in batches(*source.sizes()):
        batch = source.batch(graphs)
        found = predict_batch(module, batch, ensemble=ensemble)
        yield _as_it_came(found, batch, source, graphs, module.manifest.schema.task.level)


@torch.inference_mode()
def predict_batch(
    module: PackagedNetwork, batch: GraphBatch, *, ensemble: bool | None = None
) -> Predicted:
    """Rows as the batch has them: of an edge task, one per relation held."""
    kind, scaling = module.manifest.schema.task.kind, module.manifest.scaling
    outputs = module.outputs(batch, ensemble=ensemble).cpu()
    values = to_units(combine(outputs, kind), kind, scaling)
    return Predicted(
        values.numpy(), spread(outputs, kind, scaling).numpy() if len(outputs) > 1 else None
    )


def join(parts: Sequence[Predicted], outputs: int) -> Predicted:
    """Consecutive parts as one; of none, an empty one with ``outputs`` columns."""
    if not parts:
        return Predicted(np.empty((0, outputs), np.float32))
    spreads = [part.spread for part in parts if part.spread is not None]
    starts = np.cumsum([0, *(len(part.values) for part in parts)])
    return Predicted(
        values=np.concatenate([part.values for part in parts]),
        spread=np.concatenate(spreads) if spreads else None,
        index={
            name: np.concatenate([part.index[name] for part in parts]) for name in parts[0].index
        },
        reasons={
            row + int(start): reason
            for part, start in zip(parts, starts, strict=False)
            for row, reason in part.reasons.items()
        },
    )


def finite(predicted: Predicted) -> Predicted:
    """Rows that are no finite numbers as rows without a prediction, and the reason."""
    odd = np.flatnonzero(~np.isfinite(predicted.values).all(axis=1))
    odd = odd[[row not in predicted.reasons for row in odd.tolist()]] if len(odd) else odd
    if not len(odd):
        return predicted
    values, spread = predicted.values.copy(), predicted.spread
    values[odd] = np.nan
    if spread is not None:
        spread = spread.copy()
        spread[odd] = np.nan
    told = dict.fromkeys(odd.tolist(), _NOT_FINITE)
    return replace(predicted, values=values, spread=spread, reasons={**predicted.reasons, **told})


def batches(nodes: Int64, relations: Int64) -> Iterator[Int64]:
    """Numbers of consecutive graphs that make up a batch of bounded size."""
    items = np.cumsum(np.concatenate([[0], nodes + relations]))
    begin = 0
    while begin < len(nodes):
        fit = int(np.searchsorted(items, items[begin] + MOST_ITEMS, side="right")) - 1
        end = max(begin + 1, min(fit, begin + MOST_GRAPHS, len(nodes)))
        yield np.arange(begin, end)
        begin = end


def _as_it_came(
    found: Predicted, batch: GraphBatch, source: GraphSource, graphs: Int64, level: str
) -> Predicted:
    """With the index; rows of held relations as those of the directed edges they stand for."""
    node_ptr = batch.topology.node_ptr.numpy().astype(np.int64)
    if level == "graph":
        return Predicted(found.values, found.spread, {"graph": graphs})
    if level == "node":
        which = owner(node_ptr)
        node = np.arange(len(which)) - node_ptr[which]
        return Predicted(found.values, found.spread, {"graph": graphs[which], "node": node})
    if not isinstance(source, PackedStore):
        raise TypeError(f"edges of {type(source).__name__} are not predicted")
    rows = np.arange(len(found.values))
    if batch.edge_label_index is not None and source.label_ptr is not None:
        ends = batch.edge_label_index.numpy()
        which = owner(cut(source.label_ptr, graphs).ptr)
    else:
        rows = source.input_rows(graphs)
        edges = cut(source.edge_ptr, graphs)
        ends = np.stack([batch.topology.source.numpy(), batch.topology.target.numpy()])[:, rows]
        ends = np.where(source.backward[edges.index], ends[::-1], ends)
        which = owner(edges.ptr)
    s, t = ends - node_ptr[which]
    return Predicted(
        found.values[rows],
        None if found.spread is None else found.spread[rows],
        {"graph": graphs[which], "source": s, "target": t},
    )
