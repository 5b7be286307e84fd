"""New graphs are packed as the training data was, or refused."""

import dataclasses

import numpy as np
import pytest
import torch

from argnp.data.conform import conform
from argnp.data.ingest import ingest
from argnp.data.schema import Encoding
from argnp.errors import UserError


def _fresh(random_raw, **options):
    return random_raw(np.random.default_rng(0), **options)


def _same(a, b):
    assert torch.equal(a.node, b.node)
    assert torch.equal(a.edge, b.edge)
    assert torch.equal(a.encoding, b.encoding)
    assert torch.equal(a.topology.source, b.topology.source)
    assert torch.equal(a.target, b.target)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("floats", [False, True])
def test_training_data_comes_out_as_it_went_in(random_raw, symmetric, floats):
    raw = _fresh(random_raw, symmetric=symmetric, floats=floats)
    dataset = ingest(raw, name="x", encoding=Encoding("rwse", 3))
    graphs = np.arange(12)
    again = conform(raw, dataset.schema, targets=True)
    _same(dataset.source.batch(graphs), again.batch(graphs))
    unlabelled = conform(dataclasses.replace(raw, y=None), dataset.schema)
    assert unlabelled.batch(graphs).target is None


def test_directed_graphs_are_refused_where_training_had_pairs(random_raw):
    schema = ingest(_fresh(random_raw, symmetric=True), name="x").schema
    with pytest.raises(UserError, match="has no reverse of equal features"):
        conform(_fresh(random_raw), schema)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda r: {"x": r.x[:, :1]}, "node features have 1 columns, the model was trained on 2"),
        (lambda r: {"x": None}, "node features have 0 columns"),
        (lambda r: {"x": r.x * 0.5}, "node features are real numbers"),
        (lambda r: {"edge_attr": None}, "edge features have 0 columns"),
    ],
)
def test_other_columns_are_refused(random_raw, change, complaint):
    raw = _fresh(random_raw)
    schema = ingest(raw, name="x").schema
    with pytest.raises(UserError, match=complaint):
        conform(dataclasses.replace(raw, **change(raw)), schema)


def test_classes_are_matched_by_name(random_raw):
    raw = _fresh(random_raw)
    train = dataclasses.replace(raw, y=np.tile([3, 7, 9], 4))
    schema = ingest(train, name="x").schema
    y = np.array([9, 9, 3, -1] * 3)
    store = conform(dataclasses.replace(raw, y=y), schema, targets=True)
    assert store.y.tolist() == [2, 2, 0, -1] * 3
    y[5] = 4
    with pytest.raises(UserError, match="graph 5: class 4 was not in the training data"):
        conform(dataclasses.replace(raw, y=y), schema, targets=True)


def test_named_classes_may_come_in_another_order(random_raw):
    raw = _fresh(random_raw)
    y = np.array([0, 1] * 6)
    schema = ingest(dataclasses.replace(raw, y=y, labels=("no", "yes")), name="x").schema
    turned = dataclasses.replace(raw, y=y, labels=("yes", "no"))
    assert conform(turned, schema, targets=True).y.tolist() == [1, 0] * 6


def test_other_target_columns_are_refused(random_raw):
    raw = _fresh(random_raw)
    schema = ingest(raw, name="x").schema
    with pytest.raises(UserError, match="targets have 2 columns, the model predicts 1"):
        conform(dataclasses.replace(raw, y=np.ones((12, 2))), schema, targets=True)
