"""Which nodes and relations a prediction rests on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.data.schema import Task
from argnp.errors import UserError
from argnp.heads.scaling import Scaling
from argnp.model.explain_gradients import LARGEST, Explained, attribute
from argnp.model.explain_input import open_one
from argnp.model.explain_result import Explanation
from argnp.model.graph_module import GraphModule
from argnp.model.model import Model
from argnp.model.module import PackagedNetwork
from argnp.model.units import combine
from argnp.nets.network import Network


def explain(
    model: Model | GraphModule | PackagedNetwork | Network,
    graph: Any,
    *,
    row: int | None = None,
    output: int | str | None = None,
) -> Explanation:
    """Explains one prediction for one graph: a Data, a SMILES, or a GraphBatch of one graph.

    ``row``: the node or edge whose prediction it is (edges as they came in; relations of a
    GraphBatch), by default the first. ``output``: class or column by number or name, by default
    the likeliest class, the likeliest label, the first column. A bare Network takes a
    GraphBatch, and its raw output is explained.
    """
    if isinstance(model, Network):
        if not isinstance(graph, GraphBatch):
            raise UserError("a bare network is explained on a GraphBatch; load a packaged model")
        task = Task(model.head.level, "regression", model.head.out.out_features)
        return explain_batch([model], graph, task, row=row or 0, output=output)
    module = model.module if isinstance(model, Model) else model
    if isinstance(module, GraphModule):
        module = module.inner
    manifest = module.manifest
    networks = [n for n in module.networks if isinstance(n, Network)]
    opened = open_one(graph, manifest, row or 0)
    found = explain_batch(
        networks if manifest.ensemble else networks[:1],
        opened.batch,
        manifest.schema.task,
        scaling=manifest.scaling,
        names=manifest.target_names,
        row=opened.row,
        output=output,
    )
    return replace(found, placed=opened.placed)


def explain_batch(
    networks: Sequence[Network],
    batch: GraphBatch,
    task: Task,
    *,
    scaling: Scaling | None = None,
    names: Sequence[str] = (),
    row: int = 0,
    output: int | str | None = None,
) -> Explanation:
    """As `explain`, of networks that make up one model, on a batch of one graph."""
    topology = batch.topology
    if batch.num_graphs != 1:
        raise UserError(f"{batch.num_graphs} graphs: one is explained at a time")
    if topology.num_nodes + topology.num_relations > LARGEST:
        raise UserError(
            f"a graph of {topology.num_nodes} nodes and {topology.num_relations} relations is too "
            f"large to explain; up to {LARGEST} in all are"
        )
    rows = _rows(task, batch)
    if not 0 <= row < rows:
        raise UserError(f"row {row}: the graph has {rows}, counted from 0")
    with torch.no_grad():  # in inference mode, what the topology keeps could have no gradients
        there = batch.to(networks[0].device)
        each = torch.stack([network.eval()(there)[row] for network in networks])
        outputs = combine(each, task.kind)
    names = names if len(names) == task.outputs else task.labels
    chosen = _output(output, task, names, outputs)
    name = names[chosen] if chosen < len(names) else str(chosen)
    found = attribute(networks, batch, _quantity(task, scaling, row, chosen))
    pairs = torch.stack([topology.source, topology.target], 1).cpu().numpy().astype(np.int64)
    if task.level == "node":
        centre = row
    elif task.level == "edge":
        ends = batch.edge_label_index
        centre = int(pairs[row, 0] if ends is None else ends[0, row])
    else:
        centre = int(np.abs(found.node).argmax())
    what = f"the prediction of {name}" if names else "the prediction"
    return Explanation(
        node_importance=found.node,
        relation_importance=found.relation,
        relations=pairs,
        value=found.value,
        blank=found.blank,
        what=what if task.kind == "regression" else f"the log-odds of {name}",
        output=chosen,
        centre=centre,
    )


def _quantity(task: Task, scaling: Scaling | None, row: int, output: int) -> Explained:
    """The explained number, (copies,), from outputs (networks, copies, rows, outputs).

    Regression: the column in the user's units. Else log-odds of the predicted probability, which
    unlike it do not level off: ``x_c - log sum over other classes of exp(x)``.
    """

    def quantity(out: Tensor) -> Tensor:
        found = combine(out[:, :, row], task.kind)
        if task.kind == "regression":
            return (found if scaling is None else scaling.inverse(found))[:, output]
        if task.kind == "multilabel":
            return found[:, output]
        others = torch.cat([found[:, :output], found[:, output + 1 :]], 1)
        return found[:, output] - others.logsumexp(1)

    return quantity


def _rows(task: Task, batch: GraphBatch) -> int:
    if task.level == "graph":
        return 1
    if task.level == "node":
        return batch.topology.num_nodes
    ends = batch.edge_label_index
    return batch.topology.num_relations if ends is None else int(ends.shape[1])


def _output(told: int | str | None, task: Task, names: Sequence[str], outputs: Tensor) -> int:
    if told is None:
        return 0 if task.kind == "regression" else int(outputs.argmax())
    if isinstance(told, str):
        if told not in names:
            raise UserError(f"output {told!r}: there is {', '.join(names) or 'none with a name'}")
        return list(names).index(told)
    if not 0 <= told < task.outputs:
        raise UserError(f"output {told}: there are {task.outputs}, counted from 0")
    return told
