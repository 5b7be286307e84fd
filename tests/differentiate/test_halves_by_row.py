"""Of one graph with masks, the training nodes are halved, not graphs."""

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from argnp.data.dataset import Dataset
from argnp.data.ingest_pyg import from_pyg
from argnp.differentiate.halves import HalfBatches, halves

NODES = 60


@pytest.fixture
def dataset() -> Dataset:
    """As Planetoid's: a few training nodes of one graph, named by a mask."""
    generator = torch.Generator().manual_seed(0)
    ends = torch.randint(0, NODES, (2, 150), generator=generator)
    nodes = torch.arange(NODES)
    masks = {
        "train_mask": nodes % 3 == 0,
        "val_mask": nodes % 3 == 1,
        "test_mask": nodes % 3 == 2,
    }
    return from_pyg(
        Data(
            x=torch.rand(NODES, 4, generator=generator),
            edge_index=torch.cat([ends, ends.flip(0)], 1),
            y=nodes % 2,
            **masks,
        )
    )


def test_training_nodes_are_halved(dataset: Dataset) -> None:
    own, held_out = halves(dataset, 5)
    assert (len(own), len(held_out)) == (10, 10)
    assert sorted([*own, *held_out]) == list(range(0, NODES, 3))
    assert not np.array_equal(own, halves(dataset, 6)[0])


def test_each_half_counts_in_its_own_batches_alone(dataset: Dataset) -> None:
    own, held_out = halves(dataset, 5)
    batches = HalfBatches(dataset, 1, 5)
    assert len(batches) == 1
    for epoch in range(2):
        ((train, judge),) = batches.epoch(epoch)
        for batch, half in ((train, own), (judge, held_out)):
            assert batch.topology.num_nodes == NODES, "the graph is seen whole"
            assert batch.weight is not None
            assert torch.nonzero(batch.weight)[:, 0].tolist() == half.tolist()
