"""Explanations of packaged models, and what is refused."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
import torch

from argnp.data.ingest import ingest
from argnp.errors import UserError
from argnp.model.explain import explain
from argnp.model.graph_module import GraphModule
from argnp.model.load import load_model


def graph(number=1, **more):
    from torch_geometric.data import Data

    rng = np.random.default_rng(number)
    s, t = np.triu_indices(5, 1)
    s, t = s[:7], t[:7]
    code = torch.tensor(rng.integers(0, 3, 7))
    return Data(
        x=torch.tensor(rng.integers(0, 4, (5, 2))),
        edge_index=torch.tensor(np.stack([np.r_[s, t], np.r_[t, s]])),
        edge_attr=torch.cat([code, code])[:, None],
        **more,
    )


def test_the_value_is_the_prediction_in_the_users_units(packaged):
    model = load_model(packaged.folder)
    found = explain(model, graph())
    assert found.value == pytest.approx(float(model.predict([graph()])[0, 0]), rel=1e-4)
    assert len(found.node_importance) == 5
    assert len(found.relation_importance) == len(found.relations) == 7
    same = explain(GraphModule(model.module), graph())
    assert np.array_equal(same.node_importance, found.node_importance)


def test_a_bare_network_says_its_raw_output(packaged):
    batch = packaged.dataset.source.batch(np.array([0]))
    network = packaged.networks[0]
    found = explain(network, batch)
    assert found.value == pytest.approx(float(network(batch)[0, 0].detach()), rel=1e-5)
    with pytest.raises(UserError, match="GraphBatch"):
        explain(network, graph())


def test_the_picture_is_whole_and_says_what_it_is(packaged):
    model = load_model(packaged.folder)
    for places in (None, torch.zeros(5, 3).normal_(generator=torch.Generator().manual_seed(0))):
        root = ET.fromstring(explain(model, graph(pos=places)).svg())
        assert root.attrib["role"] == "img"
        assert "added to the prediction" in root.attrib["aria-label"]
        assert len(root.findall(".//{*}title")) > 3


@pytest.mark.parametrize("level", ["node", "edge"])
def test_rows_are_counted_as_they_came(raw_graphs, package, tmp_path, level):
    dataset = ingest(raw_graphs(level=level, classes=2), name="rings")
    model = load_model(package(dataset, tmp_path / "m").folder)
    predicted = model.predict([graph()])
    for row in (0, 3, len(predicted) - 1):
        found = explain(model, graph(), row=row, output=1)
        share = 1 / (1 + np.exp(-found.value))
        assert share == pytest.approx(predicted[row, 1], rel=1e-3)
    with pytest.raises(UserError, match=f"row {len(predicted)}: "):
        explain(model, graph(), row=len(predicted))


def test_outputs_by_name_by_number_or_the_likeliest(raw_graphs, package, tmp_path):
    dataset = ingest(raw_graphs(classes=3), name="rings")
    saved = package(dataset, tmp_path / "m")
    model = load_model(saved.folder)
    labels = model.schema.task.labels
    probability = model.predict([graph()])[0]
    assert explain(model, graph()).output == probability.argmax()
    for number, label in enumerate(labels):
        found = explain(model, graph(), output=label)
        assert found.output == number
        assert label in found.what
    for wrong, told in (("none", "output 'none'"), (3, "output 3")):
        with pytest.raises(UserError, match=told):
            explain(model, graph(), output=wrong)


@pytest.mark.parametrize("kind", ["classification", "multilabel"])
def test_an_ensemble_is_explained_as_it_predicts(raw_graphs, package, tmp_path, kind):
    """A sure network and two that are not: the mean of logits would name another class."""
    raw = raw_graphs(classes=2, graphs=20)
    if kind == "multilabel":
        raw = replace(raw, y=np.stack([raw.y, 1 - raw.y], 1).astype(float))
    dataset = ingest(raw, name="rings", task=f"graph-{kind}")
    model = load_model(package(dataset, tmp_path / "m", seeds=3, ensemble=True).folder)
    biases = ([20.0, 0.0], [0.0, 1.5], [0.0, 1.5])
    for network, bias in zip(model.networks, biases, strict=True):
        with torch.no_grad():
            network.head.out.weight.mul_(0.1)
            network.head.out.bias.copy_(torch.tensor(bias))
    probability = model.predict([graph()])[0]
    found = explain(model, graph())
    assert found.output == probability.argmax()
    for output in (0, 1):
        found = explain(model, graph(), output=output)
        assert 1 / (1 + np.exp(-found.value)) == pytest.approx(probability[output], rel=1e-4)
        added = found.node_importance.sum() + found.relation_importance.sum()
        assert added == pytest.approx(found.value - found.blank, rel=0.05, abs=1e-2)


def test_one_graph_at_a_time(packaged):
    with pytest.raises(UserError, match="2 graphs"):
        explain(load_model(packaged.folder), packaged.dataset.source.batch(np.array([0, 1])))
