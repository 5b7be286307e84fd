"""Seed and epoch decide every batch."""

from itertools import chain

import numpy as np
import torch

from argnp.data.ingest import ingest
from argnp.data.loader import Loader
from argnp.data.schema import Encoding


def _order(loader, epoch):
    return [batch.graph.tolist() for batch in loader.epoch(epoch)]


def test_an_epoch_is_every_graph_once(random_raw):
    dataset = ingest(random_raw(np.random.default_rng(0), graphs=40), name="x")
    train = dataset.splits["train"]
    loader = Loader.of(dataset, train, 5, training=True, seed=3)
    batches = _order(loader, 0)
    assert len(batches) == len(loader) == 7
    assert [len(b) for b in batches] == [5] * 6 + [2]
    assert sorted(chain(*batches)) == train.tolist()
    assert _order(Loader.of(dataset, train, 5), 0) == _order(Loader.of(dataset, train, 5), 9)
    assert list(chain(*_order(Loader.of(dataset, train, 5), 0))) == train.tolist()


def test_epochs_come_in_any_order(random_raw):
    raw = random_raw(np.random.default_rng(0), graphs=40, symmetric=True)
    dataset = ingest(raw, name="x", encoding=Encoding("lap", 3))
    loader = Loader.of(dataset, dataset.splits["train"], 8, training=True, seed=3)
    third = list(loader.epoch(3))
    for _ in loader.epoch(1):
        pass
    for a, b in zip(third, loader.epoch(3), strict=True):
        assert torch.equal(a.graph, b.graph)
        assert torch.equal(a.encoding, b.encoding)
    assert _order(loader, 3) != _order(loader, 4)
    other = Loader.of(dataset, dataset.splits["train"], 8, training=True, seed=4)
    assert _order(loader, 3) != _order(other, 3)


def test_rows_of_one_graph(random_raw):
    raw = random_raw(np.random.default_rng(4), graphs=1, level="node", most_nodes=60)
    dataset = ingest(raw, name="x", by_row=True)
    half = dataset.splits["train"][::2]
    loader = Loader.of(dataset, half, 4, training=True)
    (batch,) = loader.epoch(0)
    assert len(loader) == 1
    assert batch.weight.nonzero()[:, 0].tolist() == half.tolist()
