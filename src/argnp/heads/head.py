"""From the body's output to predictions, one row per graph, node or relation."""

import torch
from torch import Tensor, nn

from argnp.data.batch import GraphBatch
from argnp.data.schema import Task
from argnp.heads.batchnorm import WeightedBatchNorm
from argnp.heads.dropout import Dropout
from argnp.heads.readout import Readout, read_out, readout_width
from argnp.kernels.core import Core


class Head(nn.Module):
    """Linear (no bias), BatchNorm, LeakyReLU, dropout, Linear: ``w -> hidden -> outputs``.

    ===== ========================================= ============= ===============
    level reads                                     w             hidden
    ===== ========================================= ============= ===============
    graph [mean V | max V | mean E | max E]         2 (D_V + D_E) (D_V + D_E) / 2
    node  V                                         D_V           D_V / 2
    edge  E                                         D_E           D_E / 2
    edge  [V_s | V_t] without E, or with ``pairs``  2 D_V         D_V
    ===== ========================================= ============= ===============

    ``edge_dim`` is None where relations are off; then there are no E terms. ``pairs``: the
    batches name their own node pairs in ``edge_label_index``. Outputs are classes' logits,
    labels' logits, or target columns.
    """

    def __init__(
        self,
        task: Task,
        node_dim: int,
        edge_dim: int | None,
        dropout: float,
        readout: Readout = "mean-max",
        *,
        pairs: bool = False,
    ) -> None:
        super().__init__()
        self.level = task.level
        self.readout = readout
        self.pairs = pairs
        if task.level == "graph":
            width = readout_width(node_dim, edge_dim)
        elif task.level == "node":
            width = node_dim
        else:
            width = 2 * node_dim if pairs or edge_dim is None else edge_dim
        hidden = max(1, width // (4 if task.level == "graph" else 2))
        self.hidden = nn.Linear(width, hidden, bias=False)
        self.norm = WeightedBatchNorm(hidden)
        self.dropout = Dropout(dropout)
        self.out = nn.Linear(hidden, task.outputs)

    def forward(self, V: Tensor, E: Tensor | None, batch: GraphBatch, core: Core) -> Tensor:
        """(rows, outputs) from V (n, D_V) and E (R, D_E)."""
        x, weight = self._rows(V, E, batch, core)
        h = self.dropout(core.norm_act(self.hidden(x), weight, self.norm.norm()))
        predicted: Tensor = self.out(h)
        return predicted

    def _rows(
        self, V: Tensor, E: Tensor | None, batch: GraphBatch, core: Core
    ) -> tuple[Tensor, Tensor | None]:
        """What is read, (rows, w), and how many rows each row stands for."""
        topology = batch.topology
        if self.level == "graph":
            return read_out(V, E, topology, core, self.readout), None
        if self.level == "node":
            return V, None
        if (batch.edge_label_index is not None) != self.pairs:
            raise ValueError(
                f"the head was built with pairs={self.pairs}, and the batch has "
                f"{'its own' if batch.edge_label_index is not None else 'no'} edge_label_index"
            )
        if batch.edge_label_index is not None:
            return _ends(V, *batch.edge_label_index), None
        if E is None:
            return _ends(V, topology.source, topology.target), topology.multiplicity
        return E, topology.multiplicity


def _ends(V: Tensor, source: Tensor, target: Tensor) -> Tensor:
    """(L, 2 D_V): ``[V_s | V_t]`` of every pair."""
    return torch.cat([V.index_select(0, source), V.index_select(0, target)], 1)
