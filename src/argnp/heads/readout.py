"""One row per graph from its nodes and relations."""

from typing import Literal, TypeAlias

import torch
from torch import Tensor

from argnp.kernels.topology import Topology
from argnp.ops.aggregators import aggregate_max, aggregate_sum

Readout: TypeAlias = Literal["mean-max", "sum"]


def readout_width(node_dim: int, edge_dim: int | None) -> int:
    """Columns of what `read_out` returns."""
    return 2 * (node_dim + (edge_dim or 0))


def read_out(V: Tensor, E: Tensor | None, topology: Topology, mode: Readout = "mean-max") -> Tensor:
    """(G, 2 d_V + 2 d_E): ``[mean V | max V | mean E | max E]`` of every graph.

    ``sum`` puts sums in place of the means. Without ``E`` there are V terms only. A relation
    counts as often as its multiplicity. A graph without nodes or relations reads out 0 for them.
    """
    parts = _both(V, topology.node_graph, None, topology.num_graphs, mode)
    if E is not None:
        weight = topology.multiplicity
        parts += _both(E, topology.relation_graph, weight, topology.num_graphs, mode)
    return torch.cat(parts, 1)


def _both(
    rows: Tensor, graph: Tensor, weight: Tensor | None, graphs: int, mode: Readout
) -> list[Tensor]:
    """[mean or sum (G, d), max (G, d)] of the rows of each graph."""
    weight = rows.new_ones(rows.shape[0]) if weight is None else weight.to(rows.dtype)
    count = rows.new_zeros(graphs).index_add(0, graph, weight)
    total = aggregate_sum(rows * weight[:, None], graph, graphs, count)
    if mode == "mean-max":
        total = total / count.clamp(min=1)[:, None]
    return [total, aggregate_max(rows, graph, graphs, count)]
