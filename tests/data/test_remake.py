"""Other relations or encodings give what ingesting anew with them gives."""

import numpy as np
import pytest
import torch

from argnp.data.ingest import ingest
from argnp.data.remake import remake, unpack
from argnp.data.schema import Encoding
from argnp.errors import UserError


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("level", ["graph", "node", "edge"])
def test_unpacking_gives_the_raw_graphs_back(random_raw, symmetric, level):
    raw = random_raw(np.random.default_rng(0), symmetric=symmetric, level=level)
    dataset = ingest(raw, name="x")
    back = unpack(dataset.source, dataset.schema)
    assert np.array_equal(back.edge_index, raw.edge_index)
    assert np.array_equal(back.edge_attr, raw.edge_attr)
    assert np.allclose(np.ravel(back.y), raw.y)


def test_remade_is_as_made(random_raw):
    def fresh():
        return random_raw(np.random.default_rng(0), symmetric=True, floats=True)

    wanted = ingest(fresh(), name="x", relations="directed", encoding=Encoding("rwse", 2))
    got = remake(ingest(fresh(), name="x"), relations="directed", encoding=Encoding("rwse", 2))
    assert got.schema == wanted.schema
    assert all(np.array_equal(got.splits[s], wanted.splits[s]) for s in wanted.splits)
    a, b = (d.source.batch(np.arange(12)) for d in (got, wanted))
    assert torch.equal(a.encoding, b.encoding)
    assert torch.equal(a.topology.source, b.topology.source)
    assert torch.equal(a.edge, b.edge)


def test_nothing_changed_is_the_same_dataset(random_raw):
    dataset = ingest(random_raw(np.random.default_rng(0)), name="x")
    assert remake(dataset, relations="auto") is dataset
    assert remake(dataset, metric="r2").metric == "r2"


def test_rows_of_edges_follow(random_raw):
    raw = random_raw(
        np.random.default_rng(0), graphs=1, symmetric=True, level="edge", most_nodes=30
    )
    dataset = ingest(raw, name="x", by_row=True)
    directed = remake(dataset, relations="directed")
    for name, rows in dataset.splits.items():
        held = dataset.source.batch(np.array([0]), rows=rows)
        weight = held.weight[:, 0] * held.topology.multiplicity
        single = directed.source.batch(np.array([0]), rows=directed.splits[name])
        assert weight.sum() == single.weight.sum()


def test_what_was_left_out_does_not_come_back(random_raw):
    dataset = ingest(random_raw(np.random.default_rng(0)), name="x", relations="off")
    with pytest.raises(UserError, match="was made with relations off"):
        remake(dataset, relations="directed")
    assert remake(dataset, encoding=Encoding("lap", 2)).schema.relations == "off"


@pytest.mark.parametrize("symmetric", [False, True])
def test_another_encoding_leaves_the_arrays_where_they_are(random_raw, tmp_path, symmetric):
    def fresh():
        return random_raw(np.random.default_rng(0), symmetric=symmetric)

    dataset = ingest(fresh(), name="x")
    got = remake(dataset, encoding=Encoding("lap", 3), cache=tmp_path)
    wanted = ingest(fresh(), name="x", encoding=Encoding("lap", 3))
    assert np.allclose(got.source.encoding, wanted.source.encoding, atol=1e-6)
    assert got.source.random_signs
    assert got.source.source is dataset.source.source
    assert (got.schema, got.notes) == (wanted.schema, wanted.notes)
    assert len(list(tmp_path.iterdir())) == 1


def test_notes_are_not_told_twice(random_raw):
    dataset = ingest(random_raw(np.random.default_rng(0), symmetric=True), name="x")
    notes = remake(dataset, relations="directed").notes
    assert notes == (*dataset.notes, "relations are directed, as told")
