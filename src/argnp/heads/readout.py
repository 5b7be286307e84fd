"""One row per graph from its nodes and relations."""

from typing import Literal, TypeAlias

import torch
from torch import Tensor

from argnp.kernels.core import Core
from argnp.kernels.topology import Topology

Readout: TypeAlias = Literal["mean-max", "sum"]


def readout_width(node_dim: int, edge_dim: int | None) -> int:
    """Columns of what `read_out` returns."""
    return 2 * (node_dim + (edge_dim or 0))


def read_out(
    V: Tensor, E: Tensor | None, topology: Topology, core: Core, mode: Readout = "mean-max"
) -> Tensor:
    """(G, 2 d_V + 2 d_E): ``[mean V | max V | mean E | max E]`` of every graph.

    ``sum`` puts sums in place of the means. Without ``E`` there are V terms only. A relation
    counts as often as its multiplicity. A graph without nodes or relations reads out 0 for them.
    """
    mean = mode == "mean-max"
    parts = [core.read_out(V, topology.node_segments, mean=mean)]
    if E is not None:
        parts.append(core.read_out(E, topology.relation_segments, mean=mean))
    return torch.cat(parts, 1)
