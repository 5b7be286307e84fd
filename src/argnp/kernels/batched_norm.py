"""BatchNorm of several operations at once, summed up with their coefficients."""

from dataclasses import dataclass

import torch
from torch import Tensor

from argnp.kernels.core import EPS, MOMENTUM, Norm


@dataclass(frozen=True)
class Rows:
    """What is normalised: rows that stand for ``count`` of their kind, ``weight`` each.

    ``weight`` (rows,) is None where each row stands for itself.
    """

    count: int
    weight: Tensor | None

    def sum(self, y: Tensor) -> Tensor:
        """Sum over rows, each as often as it counts: (rows, k, d) -> (k, d)."""
        if self.weight is None:
            return y.sum(0)
        return (self.weight.to(y.dtype) @ y.flatten(1)).view(y.shape[1:])

    def by_batch(self, norm: Norm) -> bool:
        """Whether the batch's own statistics normalise it."""
        return norm.training and self.count >= 2


def normalise_(y: Tensor, rows: Rows, norm: Norm, at: Tensor) -> Tensor:
    """Normalise ``y`` (rows, k, d) in place: ``(y - mean) scale``; gives the scale (k, d).

    ``at`` are the operations' rows in ``norm``. The variance is that of centred values: in one
    pass, large means would drown it.
    """
    mean, var = norm.mean[at], norm.var[at]
    if not rows.by_batch(norm):
        scale = torch.rsqrt(var.to(y.dtype) + EPS)
        y.sub_(mean.to(y.dtype)).mul_(scale)
        return scale
    batch_mean = rows.sum(y) / rows.count
    y.sub_(batch_mean)
    batch_var = rows.sum(y.square()) / rows.count
    unbiased = batch_var * (rows.count / (rows.count - 1))
    norm.mean[at] = mean.lerp_(batch_mean.to(mean.dtype), MOMENTUM)
    norm.var[at] = var.lerp_(unbiased.to(var.dtype), MOMENTUM)
    scale = torch.rsqrt(batch_var + EPS)
    y.mul_(scale)
    return scale


def coefficient_grad(grad: Tensor, x: Tensor) -> Tensor:
    """``sum over rows of grad * x_k``: (rows, d), (rows, k, d) -> (k, d)."""
    return (grad[:, None] * x).sum(0)


def through_batch(grad: Tensor, rows: Rows) -> Tensor:
    """``grad`` (rows, d) less what flows back through the mean: ``grad - w sum grad / count``."""
    mean = grad.sum(0) / rows.count
    return grad - (mean if rows.weight is None else torch.outer(rows.weight.to(grad.dtype), mean))


def normalise_grad(
    grad: Tensor, x: Tensor, factor: Tensor, through_var: Tensor, weight: Tensor | None
) -> Tensor:
    """Gradient of y: ``factor (grad - w x through_var)``, (rows, k, d).

    ``grad`` (rows, d) is that of ``sum_k coef_k x_k``, by ``through_batch`` where the batch's
    own statistics normalised; ``factor`` is ``scale coef`` and ``through_var`` is the
    coefficients' gradient over the count.
    """
    if weight is not None:
        x = x * weight.to(x.dtype)[:, None, None]
    return torch.addcmul(grad[:, None], x, through_var, value=-1).mul_(factor)
