"""Predictions of a whole set, batch by batch, and its metrics."""

import numpy as np
from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.data.schema import Task
from argnp.heads.columns import Array
from argnp.heads.metrics import metric_for, metrics_for
from argnp.heads.scaling import Scaling
from argnp.heads.weights import target_weight


class Collector:
    """Gathers predictions and targets; ``metrics`` judges all of them at once.

    Predictions are brought back by ``scaling`` to the units of the targets, which the batches
    hold as the user gave them.
    """

    def __init__(self, task: Task, scaling: Scaling | None = None) -> None:
        self.task = task
        self.scaling = scaling
        self._prediction: list[Array] = []
        self._target: list[Array] = []
        self._weight: list[Array] = []

    def add(self, prediction: Tensor, batch: GraphBatch) -> None:
        """Take in the predictions (rows, outputs) for a batch with targets."""
        assert batch.target is not None
        prediction = prediction.detach()
        if self.scaling is not None:
            prediction = self.scaling.inverse(prediction)
        target, weight = batch.target, target_weight(self.task.level, batch)
        there = weight > 0 if weight.dim() == 1 else (weight > 0).any(1)
        for kept, rows in (
            (self._prediction, prediction),
            (self._target, target),
            (self._weight, weight),
        ):
            kept.append(rows[there].cpu().numpy())

    def gathered(self) -> tuple[Array, Array, Array]:
        """(rows, outputs) predictions, the targets of these rows and their weights."""
        if not self._target:
            nothing = np.empty((0, self.task.outputs), np.float32)
            return nothing, nothing, nothing
        prediction, target, weight = (
            np.concatenate(parts) for parts in (self._prediction, self._target, self._weight)
        )
        return prediction, target, weight

    def metrics(self, *names: str) -> dict[str, float]:
        """The metrics of these names, or all that fit the task; NaN where the set cannot say."""
        chosen = [metric_for(self.task, name) for name in names] or metrics_for(self.task)
        if not self._target:
            return {metric.name: float("nan") for metric in chosen}
        prediction, target, weight = self.gathered()
        return {metric.name: metric.compute(prediction, target, weight) for metric in chosen}
