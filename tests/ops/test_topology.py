import pytest
import torch

from argnp.errors import UserError
from argnp.ops.topology import topology_from_edge_index


def test_relations_keep_the_callers_order():
    edge_index = torch.tensor([[3, 0, 1, 4], [1, 1, 0, 4]])
    topology = topology_from_edge_index(edge_index, 6)
    assert topology.source.tolist() == [3, 0, 1, 4]
    assert topology.target.tolist() == [1, 1, 0, 4]
    assert topology.degree.tolist() == [1, 2, 0, 0, 1, 0]
    assert topology.node_ptr.tolist() == [0, 6]
    assert topology.relation_ptr.tolist() == [0, 4]
    assert topology.multiplicity is None


def test_undirected_columns_are_pairs():
    topology = topology_from_edge_index(torch.tensor([[0, 1], [2, 1]]), 3, undirected=True)
    assert topology.multiplicity.tolist() == [2, 1]
    assert topology.degree.tolist() == [1, 1, 1]
    assert [part.tolist() for part in topology.messages] == [[0, 1, 2], [2, 1, 0], [0, 1, 0]]


def test_graphs_of_a_batch_own_their_rows():
    edge_index = torch.tensor([[1, 0, 4], [0, 1, 3]])
    topology = topology_from_edge_index(edge_index, 5, torch.tensor([0, 0, 1, 2, 2]))
    assert topology.node_ptr.tolist() == [0, 2, 3, 5]
    assert topology.relation_ptr.tolist() == [0, 2, 2, 3]
    assert topology.relation_graph.tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    ("edges", "batch", "message"),
    [
        ([[0, 1, 1], [1, 0, 0], [0, 0, 0]], None, "has to be \\(2, edges\\)"),
        ([[0, 7], [1, 1]], None, "names nodes 0 to 7; there are nodes 0 to 3"),
        ([[0, -1], [1, 1]], None, "names nodes -1 to 1"),
        ([[0, 1], [1, 0]], [0, 0], "batch: shape \\(2,\\)"),
        ([[0, 1], [1, 0]], [1, 0, 1, 0], "batch: graphs are mixed"),
        ([[3, 0], [2, 1]], [0, 0, 1, 1], "edges of different graphs are mixed"),
        ([[0, 1], [1, 2]], [0, 0, 1, 1], "edge 1, 1 -> 2, joins two graphs"),
    ],
)
def test_what_is_no_batch_of_graphs_is_refused(edges, batch, message):
    numbers = None if batch is None else torch.tensor(batch)
    with pytest.raises(UserError, match=message):
        topology_from_edge_index(torch.tensor(edges), 4, numbers)
