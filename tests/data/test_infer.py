"""What targets say about the task."""

import numpy as np
import pytest

from argnp.data.infer import infer_metric, infer_task
from argnp.data.raw import RawGraphs
from argnp.data.schema import Task
from argnp.errors import UserError


def _raw(y, labels=()):
    y = np.asarray(y)
    ptr = np.arange(len(y) + 1)
    return RawGraphs(ptr, np.zeros_like(ptr), np.empty((2, 0), np.int32), y=y, labels=labels)


@pytest.mark.parametrize(
    ("y", "name", "outputs", "labels"),
    [
        ([0.5, 1.0, 0.0], "graph-regression", 1, ()),
        ([0.0, 1.0, np.nan], "graph-classification", 2, ()),
        ([2.0, 2.0, 2.0], "graph-regression", 1, ()),
        ([0.0, 0.0, 0.0], "graph-regression", 1, ()),
        ([0, 1, 2, -1], "graph-classification", 3, ()),
        ([5, 7, 5], "graph-classification", 2, ("5", "7")),
        ([-1, 1, 1], "graph-classification", 2, ("-1", "1")),
        ([[0, 1], [1, -1]], "graph-multilabel", 2, ()),
        ([[0.0, 1.0], [np.nan, 0.0]], "graph-multilabel", 2, ()),
        ([[0.5, 1.5], [2.0, 3.0]], "graph-regression", 2, ()),
        ([[3], [4]], "graph-classification", 2, ("3", "4")),
        (np.arange(100), "graph-regression", 1, ()),
    ],
)
def test_kinds(y, name, outputs, labels):
    found = infer_task(_raw(y))
    assert (found.task.name, found.task.outputs, found.task.labels) == (name, outputs, labels)
    assert name in found.why


def test_classes_are_counted_from_nought():
    assert infer_task(_raw([5, 7, -1, 5])).y.tolist() == [0, 1, -1, 0]
    assert infer_task(_raw([-1, 1, 1])).y.tolist() == [0, 1, 1]
    assert infer_task(_raw([1.0, np.nan, 0.0])).y.tolist() == [1, -1, 0]


def test_missing_labels_become_nan():
    y = infer_task(_raw([[0, 1], [1, -1]])).y
    assert np.isnan(y[1, 1])
    assert y[0].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("y", "told", "dtype"),
    [
        ([0, 1, 2], "graph-regression", np.float64),
        ([0.0, 3.0, 2.0], "graph-classification", np.int64),
        ([0, 1, 1], "graph-multilabel", np.float64),
    ],
)
def test_the_task_may_be_told(y, told, dtype):
    found = infer_task(_raw(y), told)
    assert found.task.name == told
    assert found.y.dtype == dtype


def test_minus_one_is_a_number_where_numbers_are_predicted():
    assert infer_task(_raw([-1, 3, 5]), "graph-regression").y[:, 0].tolist() == [-1, 3, 5]


@pytest.mark.parametrize(
    ("y", "told", "complaint"),
    [
        ([0, 1], "graph-clasification", "choose from graph-classification"),
        ([0, 1], "node-classification", "targets are one per graph"),
        ([np.nan, np.nan], None, "every target is missing"),
        ([3, 3, 3], None, "every target is class 3"),
        ([0.5, 1.0], "graph-classification", "graph 0: target 0.5 is no class"),
        ([0, -7, 3], None, "graph 1: label -7 is no class"),
        ([[0.0, 2.5], [1.0, 3.5]], None, "labels and numbers are not learned together"),
        ([[0.0, 2.5], [1.0, 3.5]], "graph-multilabel", "graph 0, target column 1: 2.5 is no label"),
        ([[0, 1], [1, 0]], "graph-classification", "a classification has one"),
    ],
)
def test_what_cannot_be_learned_is_refused(y, told, complaint):
    with pytest.raises(UserError, match=complaint):
        infer_task(_raw(y), told)


def test_a_label_outside_named_classes_names_its_graph():
    with pytest.raises(UserError, match="graph 2: label 2 is outside the 2 classes"):
        infer_task(_raw([0, 1, 2], labels=("a", "b")))


@pytest.mark.parametrize(
    ("task", "metric"),
    [
        (Task("graph", "regression", 1), "mae"),
        (Task("graph", "classification", 2), "roc_auc"),
        (Task("node", "classification", 2), "accuracy"),
        (Task("graph", "classification", 5), "accuracy"),
        (Task("graph", "multilabel", 4), "average_precision"),
    ],
)
def test_metrics(task, metric):
    assert infer_metric(task)[0] == metric


def test_metrics_that_do_not_fit_are_refused():
    with pytest.raises(UserError, match="choose from mae, rmse, r2"):
        infer_metric(Task("graph", "regression", 1), "accuracy")
    with pytest.raises(UserError, match="needs two classes, there are 3"):
        infer_metric(Task("graph", "classification", 3), "roc_auc")
