"""Examples as `argnp.report.extras` describes them: seen from inside, and explained."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch

from argnp.data.schema import Task
from argnp.model.explain_gradients import Numbers
from argnp.model.explain_layout import Int64, ball, within
from argnp.model.explain_result import Explanation
from argnp.model.features import seen
from argnp.nets.network import Network
from argnp.workflows.extras_examples import Example
from argnp.workflows.extras_predictions import drawn

_MOST_POINTS: Final = 1500  # of a graph that has places of its own
_MOST_NUMBERS: Final = 50_000  # features of an example, over all vertices
_MOST_RELATIONS: Final = 400  # whose importance is drawn

Json = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """What of a graph is drawn: nodes, the relations among them, these renumbered, and places."""

    nodes: Int64  # (n,)
    relations: Int64  # (r,)
    pairs: Int64  # (r, 2)
    positions: list[list[float]]


def _pairs(example: Example) -> Int64:
    topology = example.batch.topology
    ends = torch.stack([topology.source, topology.target], 1)
    return ends.numpy().astype(np.int64)


def part_of(example: Example, found: Explanation | None) -> Part:
    """All of a small graph; of clouds that are large, some points; else what is near the centre."""
    nodes, pairs = example.batch.topology.num_nodes, _pairs(example)
    if example.placed.positions is not None:
        kept = drawn(nodes, _MOST_POINTS)
    else:
        kept = ball(nodes, pairs, _centre(example, found))
    inside, renamed = within(pairs, kept, nodes)
    positions = example.placed.part(kept, renamed)
    return Part(kept, inside, renamed, [_numbers(row, 4) for row in positions])


def _centre(example: Example, found: Explanation | None) -> int:
    """What the prediction is for; of a whole graph, what mattered most."""
    if example.ends:
        return example.ends[0]
    return 0 if found is None else found.centre


def _graph(example: Example, part: Part, chosen: Int64) -> Json:
    """What both files say of a graph; ``chosen`` are numbers among the part's relations."""
    labels, orders = example.placed.labels, example.placed.orders(_pairs(example)[part.relations])
    told: Json = {
        "title": example.title,
        "positions": part.positions,
        "relations": part.pairs[chosen].tolist(),
    }
    if labels:
        told["labels"] = [labels[i] for i in part.nodes]
    if orders:
        told["orders"] = [orders[i] for i in chosen]
    return told


def kind_of(example: Example) -> str:
    if example.placed.labels:
        return "molecule"
    positions = example.placed.positions
    return "points" if positions is not None and positions.shape[1] == 3 else "graph"


def view(network: Network, example: Example, part: Part) -> Json:
    vertices = seen(network, example.batch)
    room = _MOST_NUMBERS // max(1, len(vertices)) - len(part.nodes)
    chosen = drawn(len(part.relations), max(room, len(part.nodes)))
    relations = part.relations[chosen]
    return _graph(example, part, chosen) | {
        "vertices": [
            {
                "name": vertex.name,
                "node": _numbers(vertex.node[part.nodes], 3),
                "relation": _numbers(vertex.relation[relations], 3) if len(vertex.relation) else [],
            }
            for vertex in vertices
        ]
    }


def mattered(
    found: Explanation, example: Example, part: Part, task: Task, names: tuple[str, ...]
) -> Json:
    """Of many relations, the most important."""
    on_relations = found.relation_importance
    chosen = np.arange(len(part.relations))
    if len(chosen) > _MOST_RELATIONS:
        if len(on_relations):
            order = np.argsort(-np.abs(on_relations[part.relations]), kind="stable")
            chosen = np.sort(order[:_MOST_RELATIONS])
        else:
            chosen = drawn(len(chosen), _MOST_RELATIONS)
    prediction: float | str = _few(found.value, 4)
    truth: float | str | None = example.truth
    if task.kind == "classification":
        share = 1 / (1 + np.exp(-found.value))
        prediction = f"{names[found.output]} ({share:.0%})"
        truth = None if truth is None else names[int(truth)]
    elif task.kind == "multilabel":
        prediction = f"{names[found.output]}: {1 / (1 + np.exp(-found.value)):.0%}"
        truth = None
    return _graph(example, part, chosen) | {
        "truth": truth,
        "prediction": prediction,
        "marked": np.flatnonzero(np.isin(part.nodes, example.ends)).tolist(),
        "node_importance": _numbers(found.node_importance[part.nodes], 4),
        "relation_importance": _numbers(on_relations[part.relations[chosen]], 4)
        if len(on_relations)
        else [],
    }


def _numbers(values: Numbers, digits: int) -> list[float]:
    """Few digits, so that the page stays small."""
    return [_few(value, digits) for value in values.tolist()]


def _few(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
