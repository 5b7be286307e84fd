"""New weights of operations."""

import torch
from torch import Tensor

from argnp.kernels.layout import Layout


def initialise(rows: Tensor, layout: Layout, generator: torch.Generator) -> None:
    """Fill bank rows (..., size) in place: uniform within ``1 / sqrt(inputs)`` of zero.

    A bias follows its weight in the layout and takes its bound, as in ``torch.nn.Linear``.
    """
    bound = 1.0
    with torch.no_grad():
        for name, values in layout.views(rows).items():
            if name.endswith(".weight"):
                bound = values.shape[-2] ** -0.5
            values.uniform_(-bound, bound, generator=generator)
