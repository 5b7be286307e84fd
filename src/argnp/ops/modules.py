"""One operation as a module, for a network written by hand.

from argnp.ops.modules import NodeOperation, RelationOperation
from argnp.ops.topology import topology_from_edge_index

topology = topology_from_edge_index(data.edge_index, data.num_nodes, data.batch)
V, E = nodes(V, E, topology), relations(V, E, topology)
"""

import torch
from torch import Tensor, nn

from argnp.kernels.layout import Layout, node_layout, relation_layout
from argnp.kernels.topology import Topology
from argnp.ops.catalogue import node_operation, relation_operation
from argnp.ops.initialise import initialise
from argnp.ops.normalise import batchnorm
from argnp.ops.operation import node_output, relation_output
from argnp.ops.reference import weights_of


class _Operation(nn.Module):
    """Weights in one bank row, running statistics, and an affine part if wanted."""

    running_mean: Tensor
    running_var: Tensor

    def __init__(self, layout: Layout, outputs: int, affine: bool, seed: int) -> None:
        super().__init__()
        self.layout = layout
        self.weights = nn.Parameter(torch.empty(layout.size))
        initialise(self.weights, layout, torch.Generator().manual_seed(seed))
        self.scale = nn.Parameter(torch.ones(outputs)) if affine else None
        self.shift = nn.Parameter(torch.zeros(outputs)) if affine else None
        self.register_buffer("running_mean", torch.zeros(outputs))
        self.register_buffer("running_var", torch.ones(outputs))

    def _normalise(self, y: Tensor, weight: Tensor | None) -> Tensor:
        x = batchnorm(y, weight, self.running_mean, self.running_var, self.training)
        if self.scale is None or self.shift is None:
            return x
        return x * self.scale + self.shift


class NodeOperation(_Operation):
    """Nodes (n, node_dim) from their neighbours, guided by the relations (R, edge_dim).

    ``operation`` is a name of the catalogue: ``V_MEAN``, ``V_MAX``, ... Without ``relations``
    the messages are the neighbours' features alone and ``E`` is None.
    """

    def __init__(
        self,
        operation: str,
        node_dim: int,
        edge_dim: int,
        *,
        relations: bool = True,
        affine: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(
            node_layout(node_dim, edge_dim, relations=relations), node_dim, affine, seed
        )
        self.aggregate = node_operation(operation)
        self.relations = relations

    def forward(self, V: Tensor, E: Tensor | None, topology: Topology) -> Tensor:
        """(n, node_dim)."""
        guide = E if self.relations else None
        weights = weights_of(self.weights, self.layout)
        return self._normalise(node_output(self.aggregate, weights, V, guide, topology), None)


class RelationOperation(_Operation):
    """Relations (R, edge_dim) from themselves and the nodes (n, node_dim) at their ends.

    ``operation`` is a name of the catalogue: ``E_SUB``, ``E_HAD``, ...
    """

    def __init__(
        self, operation: str, node_dim: int, edge_dim: int, *, affine: bool = True, seed: int = 0
    ) -> None:
        super().__init__(relation_layout(node_dim, edge_dim), edge_dim, affine, seed)
        self.function = relation_operation(operation)

    def forward(self, V: Tensor, E: Tensor, topology: Topology) -> Tensor:
        """(R, edge_dim)."""
        weights = weights_of(self.weights, self.layout)
        y = relation_output(self.function, weights, V, E, topology)
        return self._normalise(y, topology.multiplicity)
