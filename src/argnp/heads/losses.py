"""What training makes small. Every loss is a weighted mean over targets."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import torch
from torch import Tensor
from torch.nn import functional

from argnp.data.batch import GraphBatch
from argnp.data.schema import Kind, Level, Task
from argnp.errors import UserError
from argnp.heads.weights import target_weight

# (prediction, target, weight) -> (loss of each target, weight of each target)
Terms: TypeAlias = Callable[[Tensor, Tensor, Tensor], tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Loss:
    """``sum w l / sum w`` over the targets of a batch; 0 where every weight is 0.

    ``parts`` gives numerator and denominator, so that the loss of a whole set is not a mean of
    its batches' means.
    """

    name: str
    level: Level
    terms: Terms

    def parts(self, prediction: Tensor, batch: GraphBatch) -> tuple[Tensor, Tensor]:
        """(sum w l, sum w), both ()."""
        assert batch.target is not None
        weight = target_weight(self.level, batch)
        # What stands in place of a missing target may be anything, NaN included.
        target = torch.where(weight > 0, batch.target, torch.zeros_like(batch.target))
        value, weight = self.terms(prediction, target, weight.to(prediction.dtype))
        return (value * weight).sum(), weight.sum()

    def __call__(self, prediction: Tensor, batch: GraphBatch) -> Tensor:
        """The weighted mean, ()."""
        total, weight = self.parts(prediction, batch)
        return total / torch.where(weight > 0, weight, torch.ones_like(weight))


def loss_for(task: Task, name: str | None = None) -> Loss:
    """The loss of this name, or the one that suits the task: l1, cross-entropy, bce."""
    fitting = LOSSES[task.kind]
    chosen = next(iter(fitting)) if name is None else name
    if chosen not in fitting:
        raise UserError(f"loss {name}: does not fit {task.name}; choose of {', '.join(fitting)}")
    return Loss(chosen, task.level, fitting[chosen])


def _l1(prediction: Tensor, target: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """``|p - y|``."""
    return (prediction - target).abs(), weight


def _mse(prediction: Tensor, target: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """``(p - y)^2``."""
    return (prediction - target).square(), weight


def _huber(prediction: Tensor, target: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """``d^2 / 2`` up to ``d = |p - y| = 1``, then ``d - 1/2``."""
    return functional.huber_loss(prediction, target, reduction="none"), weight


def _cross_entropy(prediction: Tensor, target: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """``-log softmax(p)_y``."""
    return functional.cross_entropy(prediction, target, reduction="none"), weight


def _weighted_cross_entropy(
    prediction: Tensor, target: Tensor, weight: Tensor
) -> tuple[Tensor, Tensor]:
    """Cross entropy with ``(n - n_c) / n`` for class c that ``n_c`` of the batch's ``n`` have.

    A batch of one class alone has no weight left, so its loss is 0.
    """
    member = functional.one_hot(target, prediction.shape[1]).to(weight.dtype)
    count = member.t() @ weight
    total = count.sum()
    share = (total - count) / torch.where(total > 0, total, torch.ones_like(total))
    value, weight = _cross_entropy(prediction, target, weight)
    return value, weight * share[target]


def _bce(prediction: Tensor, target: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """``-y log sigmoid(p) - (1 - y) log sigmoid(-p)`` per label."""
    loss = functional.binary_cross_entropy_with_logits(prediction, target, reduction="none")
    return loss, weight


LOSSES: Final[dict[Kind, dict[str, Terms]]] = {
    "regression": {"l1": _l1, "mse": _mse, "huber": _huber},
    "classification": {
        "cross-entropy": _cross_entropy,
        "weighted-cross-entropy": _weighted_cross_entropy,
    },
    "multilabel": {"bce": _bce},
}
