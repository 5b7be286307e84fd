"""Small graphs and batches that the network tests share."""

import numpy as np
import pytest
import torch

from argnp.data.batch import GraphBatch
from argnp.data.schema import Encoding, Features, Schema, Task
from argnp.kernels.topology import Topology


def symmetric_batch(*, undirected: bool, seed: int = 0) -> GraphBatch:
    """Two molecules-like graphs with a self-loop, a parallel pair, an isolated node.

    The same graphs either with each pair held once or with every directed edge of its own.
    """
    rng = np.random.default_rng(seed)
    pairs = np.array(
        [(0, 1), (1, 2), (2, 3), (3, 0), (1, 1), (0, 1), (5, 6), (6, 7), (5, 7), (7, 8)]
    )
    codes = rng.integers(0, 3, len(pairs))
    n, graph_of_pair = 10, (pairs[:, 0] > 4).astype(int)
    if not undirected:
        back = pairs[:, 0] != pairs[:, 1]
        codes = np.concatenate([codes, codes[back]])
        graph_of_pair = np.concatenate([graph_of_pair, graph_of_pair[back]])
        pairs = np.concatenate([pairs, pairs[back][:, ::-1]])
        order = np.argsort(graph_of_pair, kind="stable")
        pairs, codes, graph_of_pair = pairs[order], codes[order], graph_of_pair[order]
    loops = pairs[:, 0] == pairs[:, 1]
    multiplicity = np.where(loops, 1.0, 2.0).astype(np.float32) if undirected else None
    degree = np.zeros(n, np.float32)
    np.add.at(degree, pairs[:, 1], 1)
    if undirected:
        np.add.at(degree, pairs[~loops, 0], 1)
    first = int((graph_of_pair == 0).sum())
    topology = Topology(
        num_nodes=n,
        source=torch.tensor(pairs[:, 0], dtype=torch.int32),
        target=torch.tensor(pairs[:, 1], dtype=torch.int32),
        node_ptr=torch.tensor([0, 5, n], dtype=torch.int32),
        relation_ptr=torch.tensor([0, first, len(pairs)], dtype=torch.int32),
        degree=torch.tensor(degree),
        undirected=undirected,
        multiplicity=None if multiplicity is None else torch.tensor(multiplicity),
    )
    return GraphBatch(
        topology,
        node=torch.tensor(rng.integers(0, 4, (n, 1))),
        edge=torch.tensor(codes)[:, None],
        encoding=torch.tensor(rng.normal(size=(n, 3)), dtype=torch.float32),
        target=torch.tensor(rng.normal(size=(2, 1)), dtype=torch.float32),
    )


SCHEMA = Schema(
    Task("graph", "regression", 1),
    Features("codes", (4,)),
    Features("codes", (3,)),
    Encoding("rwse", 3),
    "undirected",
)


@pytest.fixture
def schema() -> Schema:
    return SCHEMA
