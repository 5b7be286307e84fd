"""Dropout whose masks depend on its own state, so that a resumed training draws the same ones."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class Dropout(nn.Module):
    """Zeroes a share ``p`` of the entries while training and scales the others by 1 / (1 - p).

    ``draw`` seeds the next mask and counts up; it is saved with the weights. It starts from the
    random state in which the module is built, as the weights do.
    """

    draw: Tensor

    def __init__(self, p: float) -> None:
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"dropout {p} is not in 0 <= p < 1")
        self.p = p
        self.register_buffer("draw", torch.randint(2**48, ()))

    def forward(self, x: Tensor) -> Tensor:
        """Same shape as ``x``."""
        if not self.training or self.p == 0:
            return x
        generator = torch.Generator(x.device).manual_seed(int(self.draw))
        self.draw += 1
        mask = torch.empty_like(x).bernoulli_(1 - self.p, generator=generator)
        return x * mask.div_(1 - self.p)


@contextmanager
def rewound(network: nn.Module) -> Iterator[None]:
    """Masks that are drawn inside are drawn again afterwards."""
    draws = [module.draw for module in network.modules() if isinstance(module, Dropout)]
    before = [draw.clone() for draw in draws]
    try:
        yield
    finally:
        for draw, value in zip(draws, before, strict=True):
            draw.copy_(value)
