"""A small batch to trace a network with."""

import torch
from torch import Tensor

from argnp.data.schema import Features
from argnp.model.export.shape import Shape

NODES, EDGES, GRAPHS, PAIRS = 7, 11, 3, 5


def example(shape: Shape, dtype: torch.dtype = torch.float32) -> dict[str, Tensor | int]:
    """Arguments of the exported ``forward``, by name; no two numbers of rows are equal."""
    every: dict[str, Tensor | int] = {
        "x": _columns(NODES, shape.schema.node, dtype),
        "edge_index": torch.arange(2 * EDGES).view(2, EDGES) % NODES,
        "edge_attr": _columns(EDGES, shape.schema.edge, dtype),
        "encoding": torch.zeros(NODES, shape.schema.encoding.width, dtype=dtype),
        "edge_label_index": torch.arange(2 * PAIRS).view(2, PAIRS) % NODES,
        "batch": torch.arange(NODES) * GRAPHS // NODES,
        "num_graphs": GRAPHS,
    }
    return {name: every[name] for name in shape.arguments}


def _columns(rows: int, features: Features, dtype: torch.dtype) -> Tensor:
    if features.kind == "codes":
        return torch.zeros(rows, len(features.sizes), dtype=torch.int64)
    return torch.ones(rows, max(features.width, 1), dtype=dtype)
