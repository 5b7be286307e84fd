"""BatchNorm with an affine part, over rows that may each stand for several."""

import torch
from torch import Tensor, nn

from argnp.kernels.core import AffineNorm
from argnp.ops.normalise import batchnorm


class WeightedBatchNorm(nn.Module):
    """``scale * (x - mean) / sqrt(var + eps) + shift`` per column of ``x`` (rows, width).

    A row counts as often as ``weight`` (rows,) says. With fewer than two rows, so counted, the
    running statistics stand in for those of the batch, and stay as they are.
    """

    mean: Tensor
    var: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("var", torch.ones(width))

    def norm(self) -> AffineNorm:
        """What a core computes it from, together with an activation."""
        return AffineNorm(self.scale, self.shift, self.mean, self.var, self.training)

    def forward(self, x: Tensor, weight: Tensor | None = None) -> Tensor:
        """(rows, width)."""
        normed = batchnorm(x, weight, self.mean, self.var, self.training)
        return torch.addcmul(self.shift, normed, self.scale)
