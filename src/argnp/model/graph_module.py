"""A network as a module of the PyG kind: ``model(data)``."""

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from argnp.data.batch import GraphBatch
from argnp.data.store import PackedStore
from argnp.model.inputs import open_graphs
from argnp.model.module import PackagedNetwork


class GraphModule(nn.Module):
    """``model(data)``: a row per graph, node or directed edge, in the order they were given.

    Takes a PyG Data or Batch, a list of Data, or a GraphBatch. ``raw``: what the network puts
    out (logits, scaled numbers), as training needs it; else probabilities, and numbers in the
    units of the targets.
    """

    def __init__(self, inner: PackagedNetwork, *, raw: bool = False) -> None:
        super().__init__()
        self.inner = inner
        self.raw = raw

    def forward(self, data: Any) -> Tensor:
        batch, rows = self._batch(data)
        out = self.inner.outputs(batch).mean(0) if self.raw else self.inner(batch)
        return out if rows is None else out[rows]

    def _batch(self, data: Any) -> tuple[GraphBatch, Tensor | None]:
        """A batch, and its row for every directed edge where that is what rows are of."""
        if isinstance(data, GraphBatch):
            return data, None
        manifest = self.inner.manifest
        source = open_graphs(data, manifest)
        graphs = np.arange(len(source), dtype=np.int64)
        device = next(self.inner.parameters()).device
        batch = source.batch(graphs).to(device)
        task = manifest.schema.task
        if task.level != "edge" or task.pairs or not isinstance(source, PackedStore):
            return batch, None
        return batch, torch.from_numpy(source.input_rows(graphs)).to(device)
