import pickle
from collections import defaultdict

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from argnp.data.benchmarks.named import load_named
from argnp.errors import UserError

TRAIN, REST, TEST, WORDS, CLASSES = 12, 600, 40, 9, 3


def write_raw(root, old=False, name="Cora", isolated=()):
    """``ind.cora.*``: labelled nodes first, then unlabelled ones, then those of the test.

    ``isolated`` of the test have neither edges nor words nor a class, as a few of CiteSeer.
    """
    folder = root / name / "raw"
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    known, total = TRAIN + REST, TRAIN + REST + TEST
    y = np.eye(CLASSES, dtype=np.int32)[np.arange(total) % CLASSES]
    x = csr_matrix((rng.random((total, WORDS)) < 0.3).astype(np.float32))
    graph = defaultdict(list)
    linked = [i for i in range(total) if i not in isolated]
    for i, j in zip(linked, linked[1:] + linked[:1], strict=True):
        graph[i].append(j)
        graph[j].append(i)
    order = rng.permutation([i for i in linked if i >= known])
    # The rows of the test stand in the order of its index.
    parts = {"x": x[:TRAIN], "allx": x[:known], "tx": x[order], "graph": graph}
    parts |= {"y": y[:TRAIN], "ally": y[:known], "ty": y[order]}
    for part_name, part in parts.items():
        content = pickle.dumps(part, protocol=2)
        if old:  # as the published files spell it
            content = content.replace(b"scipy.sparse._csr", b"scipy.sparse.csr")
            content = content.replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
        (folder / f"ind.{name.lower()}.{part_name}").write_bytes(content)
    (folder / f"ind.{name.lower()}.test.index").write_text("".join(f"{i}\n" for i in order))
    return folder


@pytest.mark.parametrize("old", [False, True])
def test_one_graph_is_split_by_its_masks(tmp_path, old):
    write_raw(tmp_path, old)
    data = load_named("planetoid:Cora", tmp_path)
    assert data.by_row
    assert [len(data.splits[s]) for s in ("train", "val", "test")] == [TRAIN, 500, TEST]
    assert data.schema.task.name == "node-classification"
    assert data.schema.task.outputs == CLASSES
    assert data.metric == "accuracy"
    assert data.schema.node.width == WORDS
    assert data.schema.relations == "undirected"


def test_isolated_nodes_of_citeseer_are_there_and_judge_nothing(tmp_path):
    first = TRAIN + REST
    isolated = (first + 3, first + 17)
    write_raw(tmp_path, name="CiteSeer", isolated=isolated)
    data = load_named("planetoid:citeseer", tmp_path)
    assert data.source.sizes()[0].tolist() == [first + TEST]
    assert data.splits["test"].tolist() == [
        i for i in range(first, first + TEST) if i not in isolated
    ]
    batch = data.source.batch(np.array([0]))
    assert not batch.node[list(isolated)].any()
    test = data.splits["test"]
    assert batch.target[test].tolist() == [i % CLASSES for i in test]


def test_code_in_a_raw_pickle_is_refused(tmp_path, attack):
    payload, bait = attack
    folder = write_raw(tmp_path)
    (folder / "ind.cora.graph").write_bytes(pickle.dumps({0: payload}, protocol=2))
    with pytest.raises(UserError, match="no tensor"):
        load_named("planetoid:Cora", tmp_path)
    assert not bait.exists()


def test_a_matrix_that_points_beyond_itself_is_one_line(tmp_path):
    folder = write_raw(tmp_path)
    x = csr_matrix(np.array([[0.0, 1.0]]))
    x.indices[0] = 9
    (folder / "ind.cora.x").write_bytes(pickle.dumps(x, protocol=2))
    with pytest.raises(UserError, match=r"sparse matrix is inconsistent.*replace them") as told:
        load_named("planetoid:Cora", tmp_path)
    assert "\n" not in str(told.value)


def test_missing_files_and_wrong_names(tmp_path):
    with pytest.raises(UserError, match=r"ind.cora.x is missing.*kimiyoung"):
        load_named("planetoid:cora", tmp_path)
    with pytest.raises(UserError, match="choose Cora, CiteSeer, PubMed"):
        load_named("planetoid:Coral", tmp_path)
