"""What a run leaves for its report, of every kind of task."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from argnp.arch import Space, sample
from argnp.data.generators.make import generate
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.heads.losses import loss_for
from argnp.report.extras import read_extras
from argnp.report.page import render
from argnp.runs.folder import RunFolder
from argnp.train.evaluate import evaluate
from argnp.train.observer import Silent
from argnp.train.seeds import python_random
from argnp.workflows.configure import configure
from argnp.workflows.context import make_context
from argnp.workflows.extras import write_extras
from argnp.workflows.fit import Fitted
from argnp.workflows.open_data import Opened
from argnp.workflows.units import Candidate


def written(dataset, folder):
    """The extras of an untrained network."""
    settings = configure(flags={"data.data": "none", "widths.node": 8, "widths.edge": 6})
    context, _ = make_context(settings, dataset, Silent(), RunFolder(folder))
    relations = dataset.schema.relations != "off"
    architecture = sample(2, python_random(0), Space(relations=relations))
    network = context.network(architecture, 0)
    task = dataset.schema.task
    batch = dataset.source.batch(np.arange(len(dataset.source)))
    scores = evaluate([network], [batch], task, loss_for(task), context.scaling)
    candidate = Candidate(architecture, network, 0, 0, scores.metrics, 1, 1.0)
    fitted = Fitted(
        [candidate], [candidate], False, scores.metrics, scores.metrics, scores.collector
    )
    write_extras(context, fitted, Opened(dataset))
    return read_extras(folder)


def test_of_molecules(small_run):
    write_extras(small_run.context, small_run.fitted, small_run.opened)
    found, complaints = read_extras(small_run.folder)
    assert complaints == []
    assert [c["name"] for c in found["predictions"]["columns"]] == ["logS", "mass"]
    assert found["features"]["kind"] == "molecule"
    smiles, tested = small_run.opened.molecules.smiles, small_run.context.dataset.splits["test"]
    titles = {one["title"] for one in found["explain"]["examples"]}
    assert len(titles) == 3
    assert titles <= {smiles[graph] for graph in tested}
    page = render(small_run.folder)
    assert all(title in page for title in titles)


def test_predictions_are_those_of_the_metrics(small_run):
    write_extras(small_run.context, small_run.fitted, small_run.opened)
    columns = read_extras(small_run.folder)[0]["predictions"]["columns"]
    errors = [
        np.abs(np.subtract(column["truth"], column["prediction"])).mean() for column in columns
    ]
    assert np.mean(errors) == pytest.approx(small_run.fitted.test["mae"], rel=1e-3)


def test_an_ensemble_is_explained_as_it_predicts(small_run):
    together = replace(small_run.fitted, ensemble=True)
    assert len(together.predicting) == 2
    write_extras(small_run.context, together, small_run.opened)
    context, smiles = small_run.context, small_run.opened.molecules.smiles
    for example in read_extras(small_run.folder)[0]["explain"]["examples"]:
        batch = context.dataset.source.batch(np.array([smiles.index(example["title"])]))
        with torch.no_grad():
            outputs = torch.stack([c.network.eval()(batch) for c in together.chosen]).mean(0)
        expected = float(context.scaling.inverse(outputs)[0, 0])
        assert example["prediction"] == pytest.approx(expected, rel=1e-3)


def test_the_same_is_written_every_time(small_run):
    contents = []
    for _ in range(2):
        write_extras(small_run.context, small_run.fitted, small_run.opened)
        folder = small_run.folder / "report"
        contents.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert contents[0] == contents[1]
    assert set(contents[0]) == {"predictions.json", "features.json", "explain.json"}


def test_nothing_is_written_without_a_folder(small_run):
    context = replace(small_run.context, folder=None)
    write_extras(context, small_run.fitted, small_run.opened)


@pytest.mark.parametrize("relations", ["directed", "off"])
def test_of_clouds(tmp_path, relations):
    dataset = generate("shapes", 30, parameters={"points": 40}, relations=relations)
    found, complaints = written(dataset, tmp_path)
    assert complaints == []
    assert found["features"]["kind"] == "points"
    example = found["features"]["examples"][0]
    points = dataset.source.clouds.points
    assert any(
        np.allclose(np.array(example["positions"])[:, [0, 2, 1]] * [1, -1, 1], cloud, atol=1e-3)
        for cloud in points[dataset.splits["test"]]
    )
    explained = found["explain"]["examples"][0]
    assert len(explained["relation_importance"]) == (0 if relations == "off" else 40 * 9)


def test_of_nodes_and_their_graphs(tmp_path):
    dataset = generate("cluster", 20, parameters={"communities": 3, "smallest": 5, "largest": 8})
    found, complaints = written(dataset, tmp_path)
    assert complaints == []
    for example in found["explain"]["examples"]:
        (node,) = example["marked"]
        assert example["title"].endswith(f"node {node + 1}")
        assert example["truth"] in dataset.schema.task.labels


def test_of_edges(tmp_path):
    pytest.importorskip("fast_tsp", reason="tours need the tsp extra")
    dataset = generate("tsp", 12, parameters={"smallest": 8, "largest": 10, "neighbours": 4})
    found, complaints = written(dataset, tmp_path)
    assert complaints == []
    for example in found["explain"]["examples"]:
        assert len(example["marked"]) == 2
        assert 0 <= np.min(example["positions"]) <= np.max(example["positions"]) <= 1


def test_of_one_large_graph_split_by_node(tmp_path):
    """Only the surroundings of a few nodes are drawn."""
    rng = np.random.default_rng(0)
    n = 2000
    s = np.arange(n)
    ends = np.stack([np.r_[s, (s + 1) % n], np.r_[(s + 1) % n, s]])
    raw = RawGraphs(
        np.array([0, n]),
        np.array([0, 2 * n]),
        ends.astype(np.int32),
        x=rng.normal(size=(n, 3)).astype(np.float32),
        y=rng.integers(0, 3, n),
        level="node",
    )
    rows = rng.permutation(n)
    splits = {"train": rows[:1000], "val": rows[1000:1500], "test": rows[1500:]}
    dataset = ingest(raw, name="ring", splits=splits, by_row=True, task="node-classification")
    found, complaints = written(dataset, tmp_path)
    assert complaints == []
    assert len(found["explain"]["examples"]) == 3
    for example in found["explain"]["examples"]:
        assert len(example["positions"]) == 300
        node = int(example["title"].rpartition(" ")[2]) - 1
        assert node in dataset.splits["test"]
        assert example["truth"] == str(raw.y[node])


def test_what_is_too_large_is_not_explained(tmp_path, monkeypatch):
    monkeypatch.setattr("argnp.workflows.extras.LARGEST", 5)
    dataset = generate("cluster", 20, parameters={"communities": 3, "smallest": 5, "largest": 8})
    found, complaints = written(dataset, tmp_path)
    assert complaints == []
    assert "explain" not in found
    assert len(found["features"]["examples"]) == len(dataset.splits["test"][:3])


def test_a_file_stays_small(tmp_path):
    dataset = generate("shapes", 30, parameters={"points": 2000})
    written(dataset, tmp_path)
    total = sum(path.stat().st_size for path in (tmp_path / "report").iterdir())
    assert total < 2_000_000
    assert torch.is_grad_enabled()
