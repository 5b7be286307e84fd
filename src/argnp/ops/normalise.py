"""BatchNorm over rows that may each stand for several."""

import torch
from torch import Tensor

from argnp.kernels.core import EPS, MOMENTUM


def batchnorm(
    y: Tensor,
    weight: Tensor | None,
    running_mean: Tensor,
    running_var: Tensor,
    training: bool,
) -> Tensor:
    """``(y - mean) / sqrt(var + eps)`` per column of ``y`` (rows, d), without an affine part.

    ``weight`` (rows,) says how many rows each row stands for; None where each is itself. In
    training, the weighted mean and variance normalise, and move the running ones, in place, a
    tenth of the way (the variance unbiased by the weighted count). In evaluation, and with
    fewer than two rows in weight, the running ones normalise.
    """
    count = float(y.shape[0]) if weight is None else float(weight.sum())
    if not training or count < 2:
        return (y - running_mean.to(y.dtype)) * torch.rsqrt(running_var.to(y.dtype) + EPS)

    def mean_of(x: Tensor) -> Tensor:
        return x.mean(0) if weight is None else torch.mv(x.t(), weight.to(x.dtype)) / count

    mean = mean_of(y)
    centred = y - mean
    var = mean_of(centred.square())
    with torch.no_grad():
        running_mean.lerp_(mean.to(running_mean.dtype), MOMENTUM)
        running_var.lerp_((var * (count / (count - 1))).to(running_var.dtype), MOMENTUM)
    return centred * torch.rsqrt(var + EPS)
