from dataclasses import replace

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

from argnp.data.ingest import ingest
from argnp.data.schema import Encoding
from argnp.errors import UserError
from argnp.model.load import load_model


def _data_list(raw, *, targets=False):
    """The raw graphs as PyG's."""
    graphs = []
    for g in range(raw.num_graphs):
        nodes, edges = slice(*raw.node_ptr[g : g + 2]), slice(*raw.edge_ptr[g : g + 2])
        graph = Data(
            x=torch.from_numpy(raw.x[nodes]),
            edge_index=torch.from_numpy(raw.edge_index[:, edges].astype(np.int64)),
            edge_attr=torch.from_numpy(raw.edge_attr[edges]),
        )
        if targets:
            rows = slice(*raw.row_ptr[g : g + 2])
            graph.y = torch.from_numpy(raw.y[rows])
        graphs.append(graph)
    return graphs


@pytest.fixture
def model(packaged):
    return load_model(packaged.folder)


def test_every_form_of_data_gives_the_same(model, packaged, raw_graphs):
    graphs = _data_list(raw_graphs())
    batch = packaged.dataset.source.batch(np.arange(12))
    with torch.inference_mode():
        expected = packaged.networks[0](batch).numpy() * 2 + 3
    for data in (
        packaged.dataset,
        raw_graphs(),
        graphs,
        (graphs[:5], graphs[5:7], graphs[7:]),
        Batch.from_data_list(graphs),
        batch,
    ):
        found = model.predict(data)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert np.array_equal(model.predict(graphs), model.predict(packaged.dataset))
    np.testing.assert_allclose(model.predict(graphs[3]), expected[3:4], rtol=0, atol=1e-5)


def test_targets_in_new_data_are_not_looked_at(model, raw_graphs):
    graphs = _data_list(raw_graphs())
    expected = model.predict(graphs)
    for graph in graphs:
        graph.y = torch.full((graph.num_nodes, 7), float("nan"))
    assert np.array_equal(model.predict(graphs), expected)


def test_the_module_is_differentiable_and_in_units(model, packaged):
    batch = packaged.dataset.source.batch(np.arange(4))
    predicted = model.module(batch)
    np.testing.assert_array_equal(predicted.detach().numpy(), model.predict(batch))
    predicted.sum().backward()
    assert any(weights.grad.abs().sum() > 0 for weights in model.networks[0].parameters())
    assert not model.module.training


def test_an_ensemble_is_the_mean_with_its_spread(model, packaged):
    batch = packaged.dataset.source.batch(np.arange(12))
    with torch.inference_mode():
        each = np.stack([network(batch).numpy() * 2 + 3 for network in packaged.networks])
    found = model.predict_rows(packaged.dataset, ensemble=True)
    np.testing.assert_allclose(found.values, each.mean(0), rtol=0, atol=1e-5)
    np.testing.assert_allclose(found.spread, each.std(0, ddof=1), rtol=0, atol=1e-5)
    assert model.predict_rows(packaged.dataset).spread is None


def test_an_ensemble_takes_several(package, packaged, tmp_path):
    one = load_model(package(packaged.dataset, tmp_path / "one").folder)
    with pytest.raises(UserError, match="holds one network"):
        one.predict(packaged.dataset, ensemble=True)


def test_what_was_evaluated_is_the_default(package, packaged, tmp_path):
    folder = package(packaged.dataset, tmp_path / "mean", seeds=3, ensemble=True).folder
    model = load_model(folder)
    mean = model.predict(packaged.dataset, ensemble=True)
    assert np.array_equal(model.predict(packaged.dataset), mean)
    assert (model.predict(packaged.dataset, ensemble=False) != mean).any()


def test_classes_and_labels_are_probabilities(package, raw_graphs, tmp_path):
    raw = raw_graphs(graphs=20, classes=3)
    of_classes = ingest(raw, name="c", task="graph-classification")
    model = load_model(package(of_classes, tmp_path / "c", seeds=2).folder)
    for ensemble in (False, True):
        found = model.predict(of_classes, ensemble=ensemble)
        assert found.shape == (20, 3)
        np.testing.assert_allclose(found.sum(1), 1, atol=1e-6)
    labels = np.stack([raw.y % 2, raw.y // 2], axis=1).astype(np.float64)
    of_labels = ingest(replace(raw, y=labels), name="l", task="graph-multilabel")
    packaged = package(of_labels, tmp_path / "l", seeds=2)
    model = load_model(packaged.folder)
    batch = of_labels.source.batch(np.arange(20))
    with torch.inference_mode():
        each = torch.stack([network(batch).sigmoid() for network in packaged.networks])
    np.testing.assert_allclose(model.predict(of_labels), each[0], atol=1e-6)
    found = model.predict(of_labels, ensemble=True)
    np.testing.assert_allclose(found, each.mean(0), atol=1e-6)


def test_nodes_come_with_their_graph(package, raw_graphs, tmp_path):
    raw = raw_graphs(level="node", classes=2)
    dataset = ingest(raw, name="n")
    model = load_model(package(dataset, tmp_path / "n").folder)
    found = model.predict_rows(_data_list(raw))
    sizes = np.diff(raw.node_ptr)
    assert found.values.shape == (sizes.sum(), 2)
    assert found.index["graph"].tolist() == np.repeat(np.arange(12), sizes).tolist()
    assert found.index["node"].tolist() == [i for n in sizes for i in range(n)]


def test_pairs_held_once_are_predicted_per_edge_as_given(package, raw_graphs, tmp_path):
    raw = raw_graphs(level="edge", classes=2)
    dataset = ingest(raw, name="e")
    assert dataset.schema.relations == "undirected"
    model = load_model(package(dataset, tmp_path / "e").folder)
    graphs = _data_list(raw)
    found = model.predict_rows(graphs)
    assert found.values.shape == (raw.num_edges, 2)
    ends = np.stack([found.index["source"], found.index["target"]])
    assert np.array_equal(ends, raw.edge_index)
    assert np.array_equal(found.index["graph"], np.repeat(np.arange(12), np.diff(raw.edge_ptr)))
    # Both directions of a pair agree, and another order of edges is another order of rows.
    of = {
        (g, s, t): tuple(row)
        for g, s, t, row in zip(*found.index.values(), found.values.tolist(), strict=True)
    }
    assert all(of[g, t, s] == row for (g, s, t), row in of.items())
    assert len(set(of.values())) > 20
    order = torch.randperm(graphs[0].num_edges, generator=torch.Generator().manual_seed(0))
    graphs[0].edge_index = graphs[0].edge_index[:, order]
    graphs[0].edge_attr = graphs[0].edge_attr[order]
    again = model.predict(graphs)
    expected = found.values[: len(order)][order.numpy()]
    np.testing.assert_allclose(again[: len(order)], expected, rtol=0, atol=1e-6)


def test_pairs_that_the_data_names(package, raw_graphs, tmp_path):
    raw = raw_graphs(graphs=8)
    pairs = np.array([[0, 1, 2, 2] * 8, [1, 2, 0, 1] * 8], dtype=np.int32)
    named = replace(
        raw,
        level="edge",
        y=np.arange(32) % 2,
        edge_label_index=pairs,
        edge_label_ptr=np.arange(0, 33, 4),
    )
    dataset = ingest(named, name="p")
    model = load_model(package(dataset, tmp_path / "p").folder)
    graphs = _data_list(raw)
    with pytest.raises(UserError, match="no edge_label_index"):
        model.predict(graphs)
    for graph in graphs:
        graph.edge_label_index = torch.tensor([[0, 1, 2, 2], [1, 2, 0, 1]])
    found = model.predict_rows(graphs)
    assert np.array_equal(found.values, model.predict(dataset))
    assert np.array_equal([found.index["source"], found.index["target"]], pairs)


def test_broken_symmetry_is_refused(model, raw_graphs):
    graphs = _data_list(raw_graphs())
    graphs[4].edge_index = graphs[4].edge_index[:, 1:]
    graphs[4].edge_attr = graphs[4].edge_attr[1:]
    with pytest.raises(UserError, match=r"trained on undirected relations; here 1 of .* graph 4"):
        model.predict(graphs)


def test_a_dataset_is_read_as_the_model_reads(model, packaged, raw_graphs):
    """Whatever relation mode and encoding it was made with."""
    expected = model.predict(packaged.dataset)
    for options in ({"relations": "directed"}, {"encoding": Encoding("lap", 2)}):
        other = ingest(raw_graphs(), name="other", **options)
        np.testing.assert_allclose(model.predict(other), expected, rtol=0, atol=1e-6)


def test_values_never_seen_share_the_unknown_slot(model, raw_graphs):
    def with_code(code):
        raw = raw_graphs(graphs=3)
        raw.x[0, 0] = code
        return raw

    known = model.predict(with_code(1))
    unseen = model.predict(with_code(77))
    assert np.array_equal(unseen, model.predict(with_code(-5)))
    assert unseen[0] != known[0]
    assert np.array_equal(unseen[1:], known[1:])
    # A dataset of its own that has such a value, and has learned it in training.
    dataset = ingest(with_code(9), name="other", task="graph-regression", encoding=Encoding())
    np.testing.assert_allclose(model.predict(dataset), unseen, rtol=0, atol=1e-6)


def test_columns_that_do_not_fit_are_told(model, raw_graphs):
    raw = raw_graphs()
    with pytest.raises(UserError, match="node features have 1 columns, the model was trained on 2"):
        model.predict(replace(raw, x=raw.x[:, :1]))
    with pytest.raises(UserError, match=r"edge features have 0 columns, .* on 1"):
        model.predict(replace(raw, edge_attr=None))
    with pytest.raises(UserError, match="real numbers, the model was trained on integer codes"):
        model.predict(raw_graphs(floats=True))


@pytest.mark.parametrize("data", [["CCO"], [None], 7, [1, 2], [], "no/such/file.csv"])
def test_data_that_is_none_is_refused(model, data):
    with pytest.raises(UserError):
        model.predict(data)
