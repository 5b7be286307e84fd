"""A batch of graphs as the network takes it."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from argnp.kernels.topology import Topology


@dataclass(frozen=True)
class GraphBatch:
    """Tensors of a batch; rows of ``target`` are graphs, nodes or relations as the task says.

    ``node`` and ``edge`` hold codes (int64) or numbers (float32), one row per node and per
    relation held, or None where the data has none. ``edge_label_index`` (2, L) names the node
    pairs of an edge task that does not label the relations themselves; then target rows are its
    columns.

    ``target``: (rows,) int64 classes, or (rows, columns) float32. ``weight``: same rows (and
    columns, where target has them), float32; 0 where the target is missing or the row belongs
    to another split, None where every weight is 1. A relation's multiplicity is not in it.
    """

    topology: Topology
    node: Tensor | None
    edge: Tensor | None
    encoding: Tensor | None = None  # (n, width) float32
    target: Tensor | None = None
    weight: Tensor | None = None
    edge_label_index: Tensor | None = None
    graph: Tensor | None = None  # (G,) int64 numbers of the graphs in their dataset

    @property
    def num_graphs(self) -> int:
        return self.topology.num_graphs

    def to(self, device: torch.device | str) -> "GraphBatch":
        """The same batch on this device."""
        if self.topology.source.device == torch.device(device):
            return self

        def move(tensor: Tensor | None) -> Tensor | None:
            return None if tensor is None else tensor.to(device)

        return replace(
            self,
            topology=self.topology.to(device),
            node=move(self.node),
            edge=move(self.edge),
            encoding=move(self.encoding),
            target=move(self.target),
            weight=move(self.weight),
            edge_label_index=move(self.edge_label_index),
            graph=move(self.graph),
        )
