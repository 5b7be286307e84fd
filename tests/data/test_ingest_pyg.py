"""Everything PyG calls data becomes a dataset, or is refused in one line."""

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData, InMemoryDataset
from torch_geometric.transforms import RandomLinkSplit

from argnp.data.ingest_pyg import from_pyg
from argnp.data.pyg import from_data_list, from_stacks
from argnp.data.pyg_stack import stack_collated
from argnp.errors import UserError

RING = torch.tensor([[0, 1, 2, 3, 1, 2, 3, 0], [1, 2, 3, 0, 0, 1, 2, 3]])


def _graphs(count=20, **more):
    generator = torch.Generator().manual_seed(0)
    return [
        Data(
            x=torch.randint(0, 5, (4, 1), generator=generator),
            edge_index=RING,
            y=torch.rand(1, generator=generator),
            **{name: value() for name, value in more.items()},
        )
        for _ in range(count)
    ]


def _all(dataset):
    return dataset.source.batch(np.arange(len(dataset.source)))


def test_a_list():
    graphs = _graphs()
    dataset = from_pyg(graphs, name="rings")
    assert dataset.name == "rings"
    assert dataset.schema.task.name == "graph-regression"
    assert dataset.schema.relations == "undirected"
    assert [len(dataset.splits[s]) for s in ("train", "val", "test")] == [16, 2, 2]
    assert torch.equal(_all(dataset).target[:, 0], torch.cat([g.y for g in graphs]))


class Rings(InMemoryDataset):
    def __init__(self, graphs, transform=None):
        super().__init__(None, transform)
        self.data, self.slices = self.collate(graphs)


def _uneven(count=12):
    """Graphs of different sizes, with everything a graph may carry."""
    graphs = []
    for n in range(2, count + 2):
        ends = torch.randint(0, n, (2, n % 4), generator=torch.Generator().manual_seed(n))
        graphs.append(
            Data(x=torch.rand(n, 2), edge_index=ends, edge_attr=torch.rand(n % 4), y=torch.rand(1))
        )
    return graphs


@pytest.mark.parametrize("pick", [slice(None), slice(2, 9), [5, 0, 11, 7]])
def test_collated_graphs_are_those_taken_one_by_one(pick):
    rings = Rings(_uneven())[pick]
    whole = stack_collated(rings)
    assert whole is not None
    fast, slow = from_stacks(whole), from_data_list(list(rings))
    for name in ("node_ptr", "edge_ptr", "edge_index", "x", "edge_attr", "y"):
        assert np.array_equal(getattr(fast, name), getattr(slow, name))
    several = [Data(num_nodes=n, edge_index=RING[:, :2], y=torch.rand(3)) for n in (4, 2, 7)]
    fast = from_stacks(stack_collated(Rings(several)))
    assert np.array_equal(fast.y, torch.stack([g.y for g in several]))
    assert np.diff(fast.node_ptr).tolist() == [4, 2, 7]


def test_a_transform_is_applied():
    def double(graph):
        graph.y = graph.y * 2
        return graph

    graphs = _graphs()
    dataset = from_pyg(Rings(graphs, transform=double))
    assert torch.equal(_all(dataset).target[:, 0], 2 * torch.cat([g.y for g in graphs]))


def test_parts_of_a_triple_must_agree():
    graphs = _graphs()
    for graph in graphs[10:]:
        graph.edge_attr = torch.ones(8)
    with pytest.raises(UserError, match="some splits have edge_attr, others have not"):
        from_pyg((graphs[:5], graphs[5:10], graphs[10:]))


def test_an_in_memory_dataset_and_a_slice_of_it():
    rings = Rings(_graphs())
    assert len(from_pyg(rings).source) == 20
    assert len(from_pyg(rings[:15]).source) == 15
    triple = from_pyg((rings[:10], rings[10:14], rings[14:]))
    assert [triple.splits[s].tolist() for s in ("train", "val", "test")] == [
        list(range(10)),
        list(range(10, 14)),
        list(range(14, 20)),
    ]


def test_a_batch_is_the_graphs_it_was_made_of():
    graphs = _graphs(7)
    dataset = from_pyg(Batch.from_data_list(graphs))
    assert torch.equal(_all(dataset).target[:, 0], torch.cat([g.y for g in graphs]))
    assert _all(dataset).topology.source.max() == 27


def test_a_triple_takes_no_other_split():
    graphs = _graphs()
    with pytest.raises(UserError, match="triple has its own; leave it out"):
        from_pyg((graphs[:5], graphs[5:9], graphs[9:]), by_row=True)


def test_a_list_of_three_lists_is_a_triple_and_of_three_graphs_is_not():
    graphs = _graphs(9)
    assert len(from_pyg([graphs[:5], graphs[5:7], graphs[7:]]).splits["train"]) == 5
    assert len(from_pyg(graphs[:3]).splits["train"]) == 1


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_graph_targets_of_any_shape(shape):
    graphs = _graphs()
    for number, graph in enumerate(graphs):
        graph.y = torch.full(shape, number / 2)
    assert _all(from_pyg(graphs)).target[:, 0].tolist() == [n / 2 for n in range(20)]


@pytest.mark.parametrize("shape", [(1, 3), (3,)])
def test_several_graph_targets(shape):
    graphs = _graphs()
    for graph in graphs:
        graph.y = torch.rand(shape)
    dataset = from_pyg(graphs)
    assert dataset.schema.task.outputs == 3
    assert torch.equal(_all(dataset).target, torch.stack([g.y.reshape(3) for g in graphs]))


def test_levels_by_what_fits():
    graphs = _graphs()
    for graph in graphs:
        graph.y = torch.randint(0, 3, (4,))
    assert from_pyg(graphs).schema.task.level == "node"
    assert from_pyg(graphs, task="graph-regression").schema.task.outputs == 4
    for graph in graphs:
        graph.y = torch.rand(8)
    assert from_pyg(graphs).schema.task.name == "edge-regression"
    graphs[3].y = torch.rand(5)
    with pytest.raises(UserError, match="graph 0: y has 8 rows for 4 nodes and 8 edges"):
        from_pyg(graphs)


def test_positions_and_weights_join_real_numbers():
    graphs = _graphs(pos=lambda: torch.rand(4, 3), edge_weight=lambda: torch.rand(8))
    for graph in graphs:
        graph.x = torch.rand(4, 2)
        graph.edge_attr = torch.rand(8)
    dataset = from_pyg(graphs)
    assert (dataset.schema.node.kind, dataset.schema.node.width) == ("floats", 5)
    assert (dataset.schema.edge.kind, dataset.schema.edge.width) == ("floats", 2)
    batch = dataset.source.batch(np.array([7]))
    assert torch.equal(batch.node, torch.cat([graphs[7].x, graphs[7].pos], dim=1))
    relation = dataset.source.input_rows(np.array([7]))
    wanted = torch.stack([graphs[7].edge_attr, graphs[7].edge_weight], dim=1)
    assert torch.equal(batch.edge[relation], wanted)


def test_positions_beside_codes_are_left_out_and_that_is_said():
    dataset = from_pyg(_graphs(pos=lambda: torch.rand(4, 3)))
    assert dataset.schema.node.kind == "codes"
    assert any("pos is left out" in note for note in dataset.notes)


def test_graphs_without_features():
    graphs = [Data(edge_index=RING, num_nodes=4, y=torch.rand(1)) for _ in range(10)]
    dataset = from_pyg(graphs)
    assert dataset.schema.node.kind == dataset.schema.edge.kind == "none"
    assert _all(dataset).node is None


def _citations(**more):
    rng = torch.Generator().manual_seed(0)
    ends = torch.randint(0, 50, (2, 200), generator=rng)
    return Data(
        x=torch.rand(50, 6, generator=rng),
        edge_index=ends,
        y=torch.arange(50) % 4,
        **more,
    )


def _mask(*ranges):
    columns = torch.zeros(50, len(ranges), dtype=torch.bool)
    for column, (begin, end) in enumerate(ranges):
        columns[begin:end, column] = True
    return columns.squeeze(1)


def test_one_graph_with_masks_is_split_by_row():
    data = _citations(
        train_mask=_mask((0, 20)), val_mask=_mask((20, 30)), test_mask=_mask((30, 50))
    )
    dataset = from_pyg(data)
    assert dataset.by_row
    assert dataset.metric == "accuracy"
    assert dataset.splits["val"].tolist() == list(range(20, 30))
    batch = dataset.source.batch(np.array([0]), rows=dataset.splits["val"])
    assert batch.weight.nonzero()[:, 0].tolist() == list(range(20, 30))
    assert torch.equal(batch.target[20:30], data.y[20:30])


def test_the_first_of_several_masks_is_used_and_that_is_said():
    data = _citations(
        train_mask=_mask((0, 20), (5, 9)),
        val_mask=_mask((20, 30), (0, 1)),
        test_mask=_mask((30, 50)),
    )
    dataset = from_pyg([data])
    assert len(dataset.splits["train"]) == 20
    assert any("2 columns: the first" in note for note in dataset.notes)


def test_one_graph_without_masks_is_split_at_random():
    dataset = from_pyg(_citations(), seed=3)
    assert dataset.by_row
    assert len(dataset.splits["train"]) == 40


def test_two_masks_are_no_split():
    with pytest.raises(UserError, match="no test_mask"):
        from_pyg(_citations(train_mask=_mask((0, 20)), val_mask=_mask((20, 30))))


def test_link_splits():
    parts = RandomLinkSplit(is_undirected=False, num_val=0.1, num_test=0.1)(_citations())
    dataset = from_pyg(parts)
    assert dataset.by_row
    assert dataset.schema.task.name == "edge-classification"
    assert (len(dataset.source), dataset.metric) == (3, "roc_auc")
    for number, split in enumerate(("train", "val", "test")):
        rows = dataset.splits[split]
        assert dataset.source.owners(rows).tolist() == [number]
        batch = dataset.source.batch(np.array([number]), rows=rows)
        assert torch.equal(batch.edge_label_index, parts[number].edge_label_index)
        assert torch.equal(batch.target, parts[number].edge_label.long())
        assert batch.weight is None


def test_one_graph_with_labelled_edges_is_split_by_pair():
    ends = torch.randint(0, 30, (2, 80), generator=torch.Generator().manual_seed(0))
    ends = ends[:, ends[0] != ends[1]].unique(dim=1)
    kind = (ends.sum(0) % 2).float()
    both = torch.cat([ends, ends.flip(0)], dim=1)
    data = Data(x=torch.rand(30, 2), edge_index=both, y=torch.cat([kind, kind]))
    dataset = from_pyg(data, task="edge-classification")
    assert dataset.schema.relations == "undirected"
    rows = np.concatenate([dataset.splits[s] for s in ("train", "val", "test")])
    assert sorted(rows.tolist()) == list(range(both.shape[1] // 2))


@pytest.mark.parametrize(
    ("obj", "complaint"),
    [
        (3, "data of type int is not understood"),
        ("zinc", "data of type str is not understood"),
        (HeteroData(), "data of type HeteroData is not understood"),
        ([], "there are no graphs"),
        (([], [], []), "the train split of the .* triple is empty"),
        ([1, 2], "graph 0 is of type int, not Data"),
        ([Data(x=torch.ones(2, 1), y=torch.ones(1)), Data(x=torch.ones(2, 1))], "graph 1 has no y"),
        ([Data(x=torch.ones(2, 1))], "no targets"),
        ([Data(x="text", num_nodes=2, y=torch.ones(1))], "graph 0: x is of type str"),
        ([Data(x=torch.ones(2, 1), y="yes")], "graph 0: y is of type str"),
        ([Data(x=torch.ones(3, 1), num_nodes=2, y=1.0)], "graph 0: x has 3 rows for 2 nodes"),
        (
            [Data(num_nodes=2, edge_index=torch.ones(2, 2), y=1.0)],
            "edge_index is torch.float32",
        ),
        (
            [Data(num_nodes=2, edge_index=torch.tensor([[0], [5]]), y=1.0)],
            "graph 0, edge 0: 0 -> 5, but the graph's 2 nodes",
        ),
        (
            [Data(num_nodes=2, edge_index=torch.tensor([[0], [-1]]), y=1.0)],
            "graph 0: edge_index names the nodes 0 and -1",
        ),
        (
            [Data(num_nodes=4, edge_index=RING, edge_attr=torch.ones(2), y=1.0)],
            "graph 0: edge_attr has 2 rows for 8 edges",
        ),
        (
            [Data(x=torch.ones(2, 1), y=1.0), Data(x=torch.ones(2, 2), y=1.0)],
            "graph 1: x has rows of shape .2,., graph 0 of .1,.",
        ),
    ],
)
def test_what_is_no_data_is_refused(obj, complaint):
    with pytest.raises(UserError, match=complaint):
        from_pyg(obj)
