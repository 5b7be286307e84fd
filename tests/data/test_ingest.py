"""Splits, features, schema and fingerprint of an ingested dataset."""

import dataclasses

import numpy as np
import pytest

from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.errors import UserError


def _fingerprint(raw, **options):
    return ingest(raw, name="x", **options).fingerprint


def test_the_fingerprint_is_of_content_and_splits(random_raw):
    def fresh():
        return random_raw(np.random.default_rng(0), symmetric=True)

    first = _fingerprint(fresh())
    assert len(first) == 64
    assert first == _fingerprint(fresh(), relations="directed", metric="rmse")
    assert first != _fingerprint(fresh(), seed=1)
    changed = fresh()
    changed.x[0, 0] += 1
    assert first != _fingerprint(changed)
    changed = fresh()
    changed.y[5] += 1
    assert first != _fingerprint(changed)


def test_training_graphs_decide_how_many_codes_there_are(random_raw):
    raw = random_raw(np.random.default_rng(0))
    raw.x[:] = 0
    raw.x[raw.node_ptr[11] :] = 900
    splits = {"train": np.arange(10), "val": np.array([10]), "test": np.array([11])}
    assert ingest(raw, name="x", splits=splits).schema.node.sizes == (1, 1)
    other = {"train": np.arange(2, 12), "val": np.array([0]), "test": np.array([1])}
    assert ingest(raw, name="x", splits=other).schema.node.sizes == (901, 901)


@pytest.mark.parametrize("value", [-1, 5000])
def test_integers_that_are_no_codes_are_numbers(random_raw, value):
    raw = random_raw(np.random.default_rng(0))
    raw.x[:, 0] = value
    node = ingest(raw, name="x").schema.node
    assert (node.kind, node.width) == ("floats", 2)


def test_graphs_without_a_target_are_in_no_drawn_split(random_raw):
    raw = random_raw(np.random.default_rng(0))
    raw.y[[2, 7]] = np.nan
    dataset = ingest(raw, name="x")
    drawn = np.concatenate(list(dataset.splits.values()))
    assert sorted(drawn.tolist()) == [0, 1, 3, 4, 5, 6, 8, 9, 10, 11]


@pytest.mark.parametrize("level", ["node", "edge"])
def test_graphs_without_rows_are_in_no_drawn_split(random_raw, level):
    raw = random_raw(np.random.default_rng(2), level=level)
    dataset = ingest(raw, name="x")
    drawn = set(np.concatenate(list(dataset.splits.values())).tolist())
    assert drawn == set(np.flatnonzero(np.diff(raw.row_ptr)).tolist())


def test_stratified_and_grouped(random_raw):
    raw = random_raw(np.random.default_rng(0), graphs=40)
    y = np.repeat([0, 1], 20)
    raw = dataclasses.replace(raw, y=y, groups=np.arange(40) // 2)
    test = ingest(raw, name="x", split="stratified", split_sizes=(0.5, 0.25, 0.25)).splits["test"]
    assert y[test].sum() == 5
    for items in ingest(raw, name="x", split="grouped").splits.values():
        assert (np.bincount(items // 2)[np.unique(items // 2)] == 2).all()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"split": "sorted"}, "choose from random, stratified, grouped"),
        ({"split": "grouped"}, "needs a group for every graph"),
        ({"split_sizes": (1.0, 0.0, 0.0)}, "the val split is empty"),
        ({"metric": "roc_auc"}, "does not fit graph-regression"),
        ({"splits": {"train": np.arange(3)}}, "the val split is empty"),
    ],
)
def test_options_that_cannot_be(random_raw, options, complaint):
    with pytest.raises(UserError, match=complaint):
        ingest(random_raw(np.random.default_rng(0)), name="x", **options)


def test_a_stratified_split_of_graphs_needs_a_target_of_graphs(random_raw):
    raw = random_raw(np.random.default_rng(0), level="node")
    with pytest.raises(UserError, match="needs one target per graph"):
        ingest(raw, name="x", split="stratified")


def test_two_graphs_are_too_few(random_raw):
    with pytest.raises(UserError, match="split is empty"):
        ingest(random_raw(np.random.default_rng(0), graphs=2), name="x")


def test_a_million_nodes():
    rng = np.random.default_rng(0)
    n, pairs = 1_000_000, 1_000_000
    ends = rng.integers(0, n, (2, pairs)).astype(np.int32)
    raw = RawGraphs(
        node_ptr=np.array([0, n]),
        edge_ptr=np.array([0, 2 * pairs]),
        edge_index=np.concatenate([ends, ends[::-1]], axis=1),
        x=rng.integers(0, 5, (n, 1)).astype(np.int8),
        y=rng.integers(0, 3, n),
        level="node",
    )
    dataset = ingest(raw, name="large", by_row=True)
    assert dataset.schema.relations == "undirected"
    batch = dataset.source.batch(np.array([0]), rows=dataset.splits["train"])
    assert batch.weight.sum() == 800_000
    assert batch.topology.num_edges == batch.topology.degree.sum() == 2 * pairs


def test_notes_say_why(random_raw):
    notes = ingest(random_raw(np.random.default_rng(0)), name="x", notes=["from a test"]).notes
    assert notes[0] == "from a test"
    assert any("graph-regression: targets are real numbers" in note for note in notes)
    assert any("relations are directed" in note for note in notes)
