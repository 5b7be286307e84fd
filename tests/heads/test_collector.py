"""Metrics belong to the whole set."""

import math
from dataclasses import replace

import pytest
import torch
from tests.heads.conftest import Twins

from argnp.data.schema import Task
from argnp.heads.collector import Collector
from argnp.heads.metrics import metrics_for
from argnp.heads.scaling import Scaling


def test_batches_of_different_size_are_judged_as_one_set(twins: Twins) -> None:
    collector = Collector(Task("node", "classification", 2))
    right = torch.tensor([[1.0, 0]] * 6)
    one = replace(twins.pairs, target=torch.zeros(6, dtype=torch.int64))
    two = replace(
        twins.pairs,
        target=torch.tensor([1, 1, -1, -1, -1, -1]),
        weight=torch.tensor([1.0, 1, 0, 0, 0, 0]),
    )
    collector.add(right, one)
    collector.add(right, two)
    metrics = collector.metrics()
    assert metrics["accuracy"] == pytest.approx(6 / 8)
    assert metrics["balanced_accuracy"] == pytest.approx(1 / 2)
    assert metrics["f1"] == 0
    assert collector.metrics("f1", "accuracy") == {"f1": 0, "accuracy": pytest.approx(6 / 8)}


def test_predictions_come_back_in_the_users_units(twins: Twins) -> None:
    task = Task("graph", "regression", 2)
    collector = Collector(task, Scaling((10.0, -1.0), (2.0, 0.5)))
    target = torch.tensor([[12.0, torch.nan], [8.0, 0.0], [torch.nan, torch.nan], [10.0, 1.0]])
    batch = replace(twins.pairs, target=target, weight=(~target.isnan()).float())
    prediction = torch.tensor([[1.0, 0], [-1, 2], [0, 0], [2, 4]], requires_grad=True)
    collector.add(prediction, batch)
    metrics = collector.metrics()
    assert metrics["mae"] == pytest.approx((4 / 3 + 0) / 2)
    assert metrics["rmse"] == pytest.approx(math.sqrt(16 / 3) / 2)
    assert list(metrics) == [metric.name for metric in metrics_for(task)]


def test_edge_metrics_are_the_same_held_once_or_per_edge(
    twins: Twins, generator: torch.Generator
) -> None:
    task = Task("edge", "classification", 2)
    p, y = torch.randn(4, 2, generator=generator), torch.tensor([0, 1, 0, 1])
    held, single = Collector(task), Collector(task)
    held.add(p, replace(twins.pairs, target=y))
    single.add(twins.expand(p), replace(twins.edges, target=twins.expand(y)))
    assert held.metrics() == pytest.approx(single.metrics())


def test_labels(twins: Twins) -> None:
    collector = Collector(Task("graph", "multilabel", 1))
    target = torch.tensor([[1.0], [0], [1], [torch.nan]])
    weight = (~target.isnan()).float()
    collector.add(
        torch.tensor([[2.0], [1], [3], [-9]]), replace(twins.pairs, target=target, weight=weight)
    )
    metrics = collector.metrics()
    assert metrics["roc_auc"] == 1
    assert metrics["accuracy"] == pytest.approx(2 / 3)


def test_an_empty_set_says_nothing() -> None:
    metrics = Collector(Task("graph", "regression", 1)).metrics()
    assert set(metrics) == {"mae", "rmse", "r2"}
    assert all(math.isnan(value) for value in metrics.values())
