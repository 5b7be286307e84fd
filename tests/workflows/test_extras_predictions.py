import numpy as np
import pytest
import torch

from argnp.data.batch import GraphBatch
from argnp.data.schema import Task
from argnp.heads.collector import Collector
from argnp.heads.scaling import Scaling
from argnp.kernels.topology import Topology
from argnp.workflows.extras_predictions import MOST_ROWS, drawn, predictions


def collected(task, prediction, target, weight=None, scaling=None):
    """As from one batch of graphs without nodes."""
    nothing = torch.zeros(0, dtype=torch.int32)
    ptr = torch.zeros(len(target) + 1, dtype=torch.int32)
    topology = Topology(0, nothing, nothing, ptr, ptr, torch.zeros(0))
    collector = Collector(task, scaling)
    collector.add(
        torch.tensor(prediction, dtype=torch.float32),
        GraphBatch(topology, None, None, target=target, weight=weight),
    )
    return collector


def test_numbers_are_in_the_users_units_and_missing_ones_are_none():
    found = predictions(
        collected(
            Task("graph", "regression", 2),
            [[1.0, 0.0], [-1.0, 2.0], [0.5, 0.5]],
            torch.tensor([[5.0, 1.0], [3.0, 0.0], [0.0, 0.0]]),
            torch.tensor([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]),
            Scaling((3.0, 0.0), (2.0, 1.0)),
        ),
        ("a", "b"),
    )
    assert found == {
        "kind": "regression",
        "columns": [
            {"name": "a", "truth": [5.0, 3.0], "prediction": [5.0, 1.0]},
            {"name": "b", "truth": [1.0, None], "prediction": [0.0, 2.0]},
        ],
        "of": 2,
    }


def test_of_many_rows_the_same_ones_are_drawn_every_time():
    rows = 4 * MOST_ROWS
    truth = torch.arange(rows, dtype=torch.float32)[:, None]
    task = Task("graph", "regression", 1)
    one, other = (predictions(collected(task, truth.numpy(), truth), ("y",)) for _ in range(2))
    assert one == other
    column = one["columns"][0]
    assert one["of"] == rows
    assert len(column["truth"]) == MOST_ROWS
    assert column["truth"] == column["prediction"] == sorted(column["truth"])
    assert np.array_equal(drawn(10, 10), np.arange(10))
    assert len(np.unique(drawn(1000, 100))) == 100


def test_rows_of_the_confusion_are_truths():
    logits = np.eye(3)[[0, 1, 1, 2]]
    found = predictions(
        collected(Task("graph", "classification", 3), logits, torch.tensor([0, 0, 1, 2])), "abc"
    )
    assert found["confusion"] == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert found["labels"] == ["a", "b", "c"]


def test_of_many_classes_the_rare_ones_are_one():
    classes = 60
    target = torch.arange(classes).repeat_interleave(torch.arange(classes) + 1)
    logits = np.eye(classes)[target.numpy()]
    names = [f"c{c}" for c in range(classes)]
    found = predictions(collected(Task("graph", "classification", classes), logits, target), names)
    assert found["labels"] == [*names[21:], "other"]
    assert np.array_equal(found["confusion"], np.diag([*range(22, classes + 1), sum(range(1, 22))]))


def test_labels_are_counted_one_by_one():
    found = predictions(
        collected(
            Task("graph", "multilabel", 2),
            [[1.0, -1.0], [-1.0, 2.0], [3.0, 1.0]],
            torch.tensor([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]),
            torch.tensor([[1.0, 1.0], [1.0, 1.0], [1.0, 0.0]]),
        ),
        ("toxic", "bitter"),
    )
    assert found["confusions"] == [[[0, 1], [1, 1]], [[1, 0], [0, 1]]]


@pytest.mark.parametrize("kind", ["regression", "classification", "multilabel"])
def test_an_empty_test_set(kind):
    found = predictions(Collector(Task("graph", kind, 2)), ("a", "b"))
    assert found["kind"] == kind
