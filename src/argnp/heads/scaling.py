"""Regression targets brought to mean 0 and standard deviation 1, and predictions back."""

from typing import Self

import msgspec
import torch
from torch import Tensor


class Scaling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``(y - mean) / std`` per target column, measured on the training set."""

    mean: tuple[float, ...]
    std: tuple[float, ...]

    @classmethod
    def fit(cls, target: Tensor, weight: Tensor | None = None) -> Self:
        """From targets (rows, columns); ``weight``, of the same shape, is 0 where one is missing.

        A column whose targets are all equal, or all missing, keeps its scale: std 1.
        """
        y = target.double()
        w = torch.ones_like(y) if weight is None else weight.double().expand_as(y)
        y = torch.where(w > 0, y, torch.zeros_like(y))
        count = w.sum(0).clamp(min=torch.finfo(y.dtype).tiny)
        mean = (w * y).sum(0) / count
        centred = torch.where(w > 0, y - mean, torch.zeros_like(y))
        std = ((w * centred.square()).sum(0) / count).sqrt()
        # Rounding of the mean leaves a trace of spread in a constant column.
        flat = std <= 1e-12 * mean.abs()
        std = torch.where(flat, torch.ones_like(std), std)
        return cls(tuple(mean.tolist()), tuple(std.tolist()))

    def transform(self, target: Tensor) -> Tensor:
        """Targets (rows, columns) as the network learns them."""
        return (target - target.new_tensor(self.mean)) / target.new_tensor(self.std)

    def inverse(self, prediction: Tensor) -> Tensor:
        """Predictions (rows, columns) in the user's units."""
        return prediction * prediction.new_tensor(self.std) + prediction.new_tensor(self.mean)
