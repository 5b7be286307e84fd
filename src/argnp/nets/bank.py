"""The weights of a vertex in one space."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from argnp.kernels.core import Norm
from argnp.kernels.layout import Layout


class Bank(nn.Module):
    """One row of weights per operation, with the running statistics of its BatchNorm.

    ``affine`` adds the BatchNorm's gain and shift, which the final network has and the
    supernet has not.
    """

    mean: Tensor
    var: Tensor

    def __init__(self, layout: Layout, rows: int, width: int, *, affine: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, layout.size))
        self.register_buffer("mean", torch.zeros(rows, width))
        self.register_buffer("var", torch.ones(rows, width))
        self.gain = nn.Parameter(torch.ones(rows, width)) if affine else None
        self.shift = nn.Parameter(torch.zeros(rows, width)) if affine else None
        self._reset(layout)

    def _reset(self, layout: Layout) -> None:
        """Every weight and bias uniform in +-1/sqrt(inputs), as a Linear's are by default."""
        views = layout.views(self.weight.detach())
        for name, view in views.items():
            inputs = views[name.replace(".bias", ".weight")].shape[1]
            nn.init.uniform_(view, -(inputs**-0.5), inputs**-0.5)

    def norm(self) -> Norm:
        return Norm(self.mean, self.var, self.training)

    def coefficients(self, rows: Sequence[int]) -> Tensor:
        """(terms, d): the gain of each term's row, 1 where ``rows`` is -1 (skip)."""
        assert self.gain is not None
        if list(rows) == list(range(len(self.gain))):
            return self.gain
        ones = self.gain.new_ones(1, self.gain.shape[1])
        return torch.cat([self.gain, ones])[torch.tensor(rows, device=ones.device)]
