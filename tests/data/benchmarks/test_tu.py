import numpy as np
import pytest

from argnp.data.benchmarks.named import load_named
from argnp.errors import UserError

GRAPHS = 20


def write_raw(root, name, *, attributes=False, regression=False, bare=False):
    """Rings of 3 to 5 nodes in the text files of the collection."""
    folder = root / name / "raw"
    folder.mkdir(parents=True)
    edges, owners, node_labels, edge_labels, first = [], [], [], [], 1
    for graph in range(GRAPHS):
        n = 3 + graph % 3
        for i in range(n):
            j = (i + 1) % n
            edges += [(first + i, first + j), (first + j, first + i)]
            edge_labels += [i % 2, i % 2]
        owners += [graph + 1] * n
        node_labels += [i % 4 for i in range(n)]
        first += n
    write = {
        "A": [f"{a}, {b}" for a, b in edges],
        "graph_indicator": owners,
        "node_labels": node_labels,
        "edge_labels": edge_labels,
    }
    if bare:
        del write["node_labels"], write["edge_labels"]
    if attributes:
        write["node_attributes"] = [f"{0.5 * i}, 1.0" for i in range(len(owners))]
    if regression:
        write["graph_attributes"] = [0.25 * g for g in range(GRAPHS)]
    else:
        write["graph_labels"] = [1 if g % 2 else -1 for g in range(GRAPHS)]
    for kind, lines in write.items():
        (folder / f"{name}_{kind}.txt").write_text("".join(f"{line}\n" for line in lines))


def test_classes_are_split_evenly(tmp_path):
    write_raw(tmp_path, "MUTAG")
    data = load_named("tu:MUTAG", tmp_path)
    assert data.schema.task.name == "graph-classification"
    assert data.schema.task.outputs == 2
    assert data.metric == "accuracy"
    assert data.schema.node.width == 4
    assert data.schema.edge.width == 2
    assert sum(map(len, data.splits.values())) == GRAPHS
    train = data.source.batch(data.splits["train"]).target
    assert abs(int(train.sum()) * 2 - len(train)) <= 1


def test_attributes_join_and_numbers_are_regressed(tmp_path):
    write_raw(tmp_path, "alchemy", attributes=True, regression=True)
    data = load_named("tu:alchemy", tmp_path)
    assert data.schema.task.name == "graph-regression"
    assert data.schema.node.width == 6


def test_graphs_without_any_features(tmp_path):
    write_raw(tmp_path, "COLLAB", bare=True)
    data = load_named("tu:COLLAB", tmp_path)
    assert data.schema.node.kind == data.schema.edge.kind == "none"
    assert data.source.sizes()[0].tolist() == [3 + g % 3 for g in range(GRAPHS)]


def test_seed_decides_the_split(tmp_path):
    write_raw(tmp_path, "MUTAG")
    one, same, other = (load_named("tu:MUTAG", tmp_path, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one.splits["train"], same.splits["train"])
    assert not np.array_equal(one.splits["train"], other.splits["train"])


def test_missing_files_are_named(tmp_path):
    with pytest.raises(UserError, match=r"MUTAG_A.txt is missing.*MUTAG.zip") as told:
        load_named("tu:MUTAG", tmp_path)
    assert str(tmp_path / "MUTAG" / "raw") in str(told.value)
    assert not (tmp_path / "MUTAG").exists()
