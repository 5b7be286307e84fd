"""Small batches, once with a relation per pair and once with one per directed edge."""

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.kernels.topology import Topology


def pointer(*counts: int) -> Tensor:
    return torch.tensor([0, *counts]).cumsum(0).to(torch.int32)


@dataclass(frozen=True)
class Twins:
    """The same graphs held both ways; ``expand`` makes per-edge rows of per-pair rows.

    Graph 0: nodes 0 to 2, pairs 0-1, 1-2 and a loop on 2. Graph 1: node 3, no relations.
    Graph 2: nodes 4 and 5, pair 4-5. Graph 3: no nodes at all.
    """

    pairs: GraphBatch
    edges: GraphBatch
    row_of_edge: Tensor

    def expand(self, rows: Tensor) -> Tensor:
        return rows[self.row_of_edge]


@pytest.fixture
def twins() -> Twins:
    nodes = pointer(3, 1, 2, 0)
    degree = torch.tensor([1.0, 2.0, 2.0, 0.0, 1.0, 1.0])
    pairs = Topology(
        num_nodes=6,
        source=torch.tensor([0, 1, 2, 4], dtype=torch.int32),
        target=torch.tensor([1, 2, 2, 5], dtype=torch.int32),
        node_ptr=nodes,
        relation_ptr=pointer(3, 0, 1, 0),
        degree=degree,
        undirected=True,
        multiplicity=torch.tensor([2.0, 2.0, 1.0, 2.0]),
    )
    edges = Topology(
        num_nodes=6,
        source=torch.tensor([1, 0, 2, 1, 2, 5, 4], dtype=torch.int32),
        target=torch.tensor([0, 1, 1, 2, 2, 4, 5], dtype=torch.int32),
        node_ptr=nodes,
        relation_ptr=pointer(5, 0, 2, 0),
        degree=degree,
    )
    row_of_edge = torch.tensor([0, 0, 1, 1, 2, 3, 3])
    return Twins(GraphBatch(pairs, None, None), GraphBatch(edges, None, None), row_of_edge)


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)
