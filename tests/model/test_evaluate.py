import numpy as np
import pytest

from argnp.data.ingest import ingest
from argnp.errors import UserError
from argnp.heads.losses import loss_for
from argnp.model.evaluate import evaluate_source, evaluate_split
from argnp.model.load import load_model
from argnp.train.evaluate import evaluate


def test_metrics_are_those_of_training(packaged):
    model, dataset = load_model(packaged.folder), packaged.dataset
    items = dataset.splits["test"]
    task = dataset.schema.task
    expected = evaluate(
        packaged.networks[:1],
        [dataset.source.batch(items)],
        task,
        loss_for(task, None),
        packaged.scaling,
    )
    found = evaluate_split(model, dataset, "test")
    assert found.metrics == pytest.approx(expected.metrics, nan_ok=True)
    assert (found.rows, found.graphs) == (len(items), len(items))
    every = evaluate_split(model, dataset, None)
    assert every.rows == 12
    error = model.predict(dataset)[:, 0] - dataset.source.y[:, 0]
    assert every.metrics["mae"] == pytest.approx(np.abs(error).mean())
    assert every.metrics["rmse"] == pytest.approx(np.sqrt(np.square(error).mean()))


def test_an_ensemble_is_judged_as_it_predicts(packaged):
    model, dataset = load_model(packaged.folder), packaged.dataset
    error = model.predict(dataset, ensemble=True)[:, 0] - dataset.source.y[:, 0]
    found = evaluate_split(model, dataset, None, ensemble=True)
    assert found.metrics["mae"] == pytest.approx(np.abs(error).mean(), rel=1e-5)


def test_missing_targets_do_not_count(packaged, raw_graphs):
    model, raw = load_model(packaged.folder), raw_graphs()
    raw.y[:4] = np.nan
    found = evaluate_source(model, model.open(raw, targets=True))
    assert (found.rows, found.graphs) == (8, 12)


def test_classes_are_matched_by_name(package, raw_graphs, tmp_path):
    from dataclasses import replace

    raw = raw_graphs(graphs=20, classes=2)
    dataset = ingest(replace(raw, labels=("no", "yes")), name="c")
    model = load_model(package(dataset, tmp_path / "c").folder)
    expected = evaluate_split(model, dataset, None)
    turned = replace(raw, y=1 - raw.y, labels=("yes", "no"))
    found = evaluate_source(model, model.open(turned, targets=True))
    assert found.metrics == pytest.approx(expected.metrics)
    strange = replace(raw, labels=("no", "maybe"))
    with pytest.raises(UserError, match="class maybe was not in the training data"):
        model.open(strange, targets=True)


@pytest.mark.parametrize("relations", ["undirected", "directed"])
def test_edges_of_one_graph_keep_their_split(package, raw_graphs, tmp_path, relations):
    """Also where the model holds relations otherwise than the dataset at hand."""
    raw = raw_graphs(graphs=1, seed=5, level="edge", classes=2)
    ends = raw.edge_index
    key = np.minimum(*ends) * 10 + np.maximum(*ends)
    part = np.unique(key, return_inverse=True)[1] % 3
    splits = {
        name: np.flatnonzero(part == i).astype(np.int64)
        for i, name in enumerate(("train", "val", "test"))
    }
    made = {
        mode: ingest(
            raw, name=mode, splits=splits, by_row=True, relations=mode, task="edge-classification"
        )
        for mode in ("undirected", "directed")
    }
    model = load_model(package(made[relations], tmp_path / "m").folder)
    for dataset in made.values():
        found = evaluate_split(model, dataset, "test")
        edges = splits["test"]
        right = model.predict(raw)[edges].argmax(1) == raw.y[edges]
        assert found.metrics["accuracy"] == pytest.approx(right.mean())
        assert found.rows == len(edges)
