"""What is said about a dataset, the gravest first."""

import dataclasses

import numpy as np
import pytest

from argnp.data.duplicates import graph_hashes
from argnp.data.generators.make import generate
from argnp.data.info import describe
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs


def _permuted(raw, rng):
    """The same graphs, nodes and edges in another order."""
    x, ends, attr = raw.x.copy(), raw.edge_index.copy(), raw.edge_attr.copy()
    for g in range(raw.num_graphs):
        nodes, edges = slice(*raw.node_ptr[g : g + 2]), slice(*raw.edge_ptr[g : g + 2])
        new = rng.permutation(nodes.stop - nodes.start)
        x[nodes][new] = raw.x[nodes]
        order = rng.permutation(edges.stop - edges.start)
        ends[:, edges] = new[raw.edge_index[:, edges]][:, order]
        attr[edges] = raw.edge_attr[edges][order]
    return dataclasses.replace(raw, x=x, edge_index=ends, edge_attr=attr)


def _twice(raw, other):
    return RawGraphs(
        np.append(raw.node_ptr, raw.num_nodes + other.node_ptr[1:]),
        np.append(raw.edge_ptr, raw.num_edges + other.edge_ptr[1:]),
        np.concatenate([raw.edge_index, other.edge_index], axis=1),
        x=np.concatenate([raw.x, other.x]),
        edge_attr=np.concatenate([raw.edge_attr, other.edge_attr]),
        y=np.concatenate([raw.y, other.y]),
    )


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("floats", [False, True])
def test_hashes_do_not_see_the_order(random_raw, symmetric, floats):
    rng = np.random.default_rng(0)
    raw = random_raw(rng, graphs=60, symmetric=symmetric, floats=floats)
    both = _twice(raw, _permuted(raw, rng))
    hashes = graph_hashes(ingest(both, name="x").source)
    assert np.array_equal(hashes[:60], hashes[60:])
    big = np.diff(raw.edge_ptr) > 6
    assert len(np.unique(hashes[:60][big])) == big.sum()


def _texts(dataset, severity):
    return [f.text for f in describe(dataset).findings if f.severity == severity]


def test_a_graph_in_train_and_test_is_a_leak(random_raw):
    raw = random_raw(np.random.default_rng(0), floats=True)
    both = _twice(raw, raw)
    splits = {"train": np.arange(12), "val": np.arange(12, 14), "test": np.arange(14, 24)}
    warnings = _texts(ingest(both, name="x", splits=splits), "warning")
    assert any("10 of 10 test graphs look like one in train" in w for w in warnings)
    assert any("the first: graphs 14 and 2" in w for w in warnings)
    parted = {"train": np.arange(8), "val": np.arange(8, 10), "test": np.arange(10, 12)}
    assert not any(
        "look like" in w for w in _texts(ingest(raw, name="x", splits=parted), "warning")
    )


def test_constant_columns_isolated_nodes_and_edgeless_graphs(random_raw):
    raw = random_raw(np.random.default_rng(0))
    raw.x[:, 1] = 2
    warnings = _texts(ingest(raw, name="x"), "warning")
    assert "node feature column 1 is the same everywhere" in warnings
    bare = dataclasses.replace(
        raw, edge_index=raw.edge_index[:, :0], edge_attr=None, edge_ptr=raw.edge_ptr * 0
    )
    warnings = _texts(ingest(bare, name="x"), "warning")
    assert any("12 of 12 graphs have no edges" in w for w in warnings)
    assert any("(100.0%) have no edge" in w for w in warnings)


def test_labels_that_teach_little(random_raw):
    raw = random_raw(np.random.default_rng(0), graphs=100)
    splits = {"train": np.arange(80), "val": np.arange(80, 90), "test": np.arange(90, 100)}

    def warnings(y):
        return _texts(ingest(dataclasses.replace(raw, y=y), name="x", splits=splits), "warning")

    assert any("is 2 in all of train" in w for w in warnings(np.full(100, 2.0)))
    y = np.zeros(100, dtype=int)
    y[95] = 1
    assert {"class 1 is in test but not in train", "all training targets are of one class"} <= set(
        warnings(y)
    )
    y[3] = 1
    assert any("classes are unbalanced: the rarest is 1.25%" in w for w in warnings(y))
    table = np.full((100, 2), np.nan)
    table[:, 0] = np.arange(100) / 3
    table[85:, 1] = 0.5
    assert any("target column 1 is missing in all of train" in w for w in warnings(table))


def test_the_table_and_the_order(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True, graphs=50)
    raw.x[:, 0] = 1
    info = describe(ingest(raw, name="rings", notes=["from nowhere"]))
    rows = dict(info.rows)
    assert rows["name"] == "rings"
    assert rows["splits"] == "train 40, val 5, test 5 graphs"
    assert rows["relations"] == "undirected"
    assert rows["nodes"].startswith("1 to 8, mean ")
    assert "2 columns of codes" in rows["node features"]
    severities = [f.severity for f in info.findings]
    assert severities == sorted(severities, key=["error", "warning", "info"].index)
    assert "from nowhere" in _texts(ingest(raw, name="x", notes=["from nowhere"]), "info")


def test_a_graph_in_validation_and_test_is_a_leak(random_raw):
    raw = random_raw(np.random.default_rng(0), floats=True)
    both = _twice(raw, raw)
    splits = {"train": np.arange(8), "val": np.arange(8, 12), "test": np.arange(21, 24)}
    (warning,) = (
        w for w in _texts(ingest(both, name="x", splits=splits), "warning") if "look" in w
    )
    assert warning.startswith(
        "3 of 3 test graphs look like one in val (the first: graphs 21 and 9)"
    )


def test_the_balance_of_labels_and_what_is_missing(random_raw):
    raw = random_raw(np.random.default_rng(0), graphs=40)

    def targets(y, **more):
        made = ingest(dataclasses.replace(raw, y=y, **more), name="x")
        return dict(describe(made).rows)["targets"]

    classes = np.arange(40) % 4 - 1
    assert targets(classes) == "0: 33.3%, 1: 33.3%, 2: 33.3%, 25.0% missing"
    assert targets(np.maximum(classes, 0)) == "0: 50.0%, 1: 25.0%, 2: 25.0%"
    labels = np.stack([np.arange(40) % 2, np.arange(40) % 4 == 0, np.arange(40) >= 0], 1) * 1.0
    labels[:20, 0] = np.nan
    assert targets(labels, labels=("a", "b", "c")) == "a: 50.0%, b: 25.0%, c: 100.0%, 16.7% missing"
    assert targets(np.arange(40) / 2) == "1 columns, 0 to 19.5, mean 9.75"


def test_minus_one_beside_zero_and_one_is_doubtful(random_raw):
    raw = random_raw(np.random.default_rng(0), graphs=30)

    def told(y, severity):
        made = ingest(dataclasses.replace(raw, y=y), name="x")
        return [text for text in _texts(made, severity) if "taken as missing" in text]

    (warning,) = told(np.arange(30) % 3 - 1, "warning")
    assert warning.startswith("10 of 30 targets (33.3%) are taken as missing: they are -1; if that")
    assert told(np.arange(30) % 5 - 1, "info") == ["6 of 30 targets (20.0%) are taken as missing"]
    assert not told(np.arange(30) % 3, "info")
    assert not told(np.arange(30) % 2 * 2 - 1, "warning")


def test_rows_of_one_graph(random_raw):
    raw = random_raw(np.random.default_rng(4), graphs=1, level="node", most_nodes=60)
    assert "node rows" in dict(describe(ingest(raw, name="x", by_row=True)).rows)["splits"]


def test_a_note_that_warns_is_a_warning():
    dataset = generate("cluster", 10, notes=("warning: two rows agree", "plain"))
    found = {finding.text: finding.severity for finding in describe(dataset).findings}
    assert found["two rows agree"] == "warning"
    assert found["plain"] == "info"


def test_point_clouds_are_described_as_graphs_are():
    dataset = generate("shapes", 24, parameters={"points": 16, "classes": 2})
    rows = dict(describe(dataset).rows)
    sizes = [len(dataset.splits[name]) for name in ("train", "val", "test")]
    assert rows["splits"] == f"train {sizes[0]}, val {sizes[1]}, test {sizes[2]} graphs"
    assert rows["node features"].startswith("3 columns of numbers, -")
    assert rows["directed edges"] == "144 to 144, mean 144"
    assert rows["targets"].startswith("bathtub: ")


def test_a_cloud_in_train_and_test_is_a_leak():
    dataset = generate("shapes", 24, parameters={"points": 16, "classes": 2})
    twin, train = int(dataset.splits["test"][0]), int(dataset.splits["train"][3])
    dataset.source.clouds.points[twin] = dataset.source.clouds.points[train]
    (warning,) = _texts(dataset, "warning")
    assert f"look like one in train (the first: graphs {twin} and {train})" in warning
