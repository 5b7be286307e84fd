"""What of PyG's data cannot be used is refused in one line, or noted."""

import pytest
import torch
from torch_geometric.data import Data, InMemoryDataset
from torch_geometric.transforms import ToSparseTensor

from argnp.data.ingest_pyg import from_pyg
from argnp.errors import UserError


def test_what_reading_a_graph_raises_is_one_line():
    class Broken:
        def __len__(self):
            return 10

        def __getitem__(self, number):
            if number == 7:
                raise KeyError("no\nsuch atom")
            return Data(x=torch.ones(2, 1), edge_index=torch.tensor([[0], [1]]), y=1.0 * number)

    with pytest.raises(UserError, match=r"^graph 7 cannot be read: KeyError: [^\n]*; look") as told:
        from_pyg(Broken())
    assert "\n" not in str(told.value)


RING = torch.tensor([[0, 1, 2, 3, 1, 2, 3, 0], [1, 2, 3, 0, 0, 1, 2, 3]])


def _rings(**more):
    return [
        Data(edge_index=RING, y=torch.rand(1), **{"x": torch.rand(4, 2), **more}) for _ in range(20)
    ]


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ({"edge_attr": torch.arange(8), "edge_weight": torch.rand(8)}, "edge_weight is left out"),
        ({"x": torch.arange(4)[:, None], "pos": torch.rand(4, 3)}, "pos is left out"),
        ({"x": torch.arange(4)[:, None] - 2, "pos": torch.rand(4, 3)}, "pos is left out"),
        ({"x": torch.ones(4, 80).long(), "pos": torch.rand(4, 3)}, "pos is left out"),
        ({"train_mask": torch.ones(4).bool()}, "masks are left out: of several graphs"),
    ],
)
def test_what_is_left_out_is_noted(more, note):
    graphs = _rings(**more)
    assert any(told.startswith(note) for told in from_pyg(graphs).notes)
    split = (graphs[:10], graphs[10:15], graphs[15:])
    if "mask" not in note:
        assert any(told.startswith(note) for told in from_pyg(split).notes)


def test_nothing_is_noted_where_nothing_is_left_out():
    more = {"pos": torch.rand(4, 3), "edge_attr": torch.rand(8), "edge_weight": torch.rand(8)}
    assert not any("left out" in note for note in from_pyg(_rings(**more)).notes)


class Collated(InMemoryDataset):
    def __init__(self, graphs):
        super().__init__(None)
        self.data, self.slices = self.collate(graphs)


@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")
@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support:UserWarning")
def test_edges_in_a_sparse_matrix_do_not_vanish():
    graphs = [ToSparseTensor(attr=None, layout=torch.sparse_csr)(graph) for graph in _rings()]
    with pytest.raises(UserError, match=r"graph 0 has adj_t, .*; leave out ToSparseTensor, so it"):
        from_pyg(graphs)


@pytest.mark.parametrize("collated", [False, True])
def test_targets_of_a_link_split_in_two_do_not_vanish(collated):
    graphs = []
    for graph in _rings():
        graph.pos_edge_label_index, graph.neg_edge_label_index = RING[:, :2], RING[:, 2:4]
        graphs.append(graph)
    with pytest.raises(UserError, match=r"has pos_edge_label_index, .*\(split_labels=False\)"):
        from_pyg(Collated(graphs) if collated else graphs)
