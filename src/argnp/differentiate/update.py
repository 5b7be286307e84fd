"""How the alphas are stepped: which gradient they follow, and on which half of the data."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.differentiate.alphas import Alphas, Weights, flatten
from argnp.differentiate.weighting import Weighting
from argnp.train.flat import FlatParameters

LossOf = Callable[[GraphBatch, Weights], Tensor]


@dataclass(frozen=True)
class Bilevel:
    """Both levels of the search, and how the lower one is stepped.

    ``loss(batch, mixture)`` is the supernet's loss; ``w`` its weights, ``alphas`` the other
    level. ``rate``, ``momentum``, ``decay`` and ``buffer`` are those of the weights' SGD. Losses
    inside ``rewound`` leave the network's random state as it was.
    """

    loss: LossOf
    w: FlatParameters
    alphas: Alphas
    weighting: Weighting
    rate: Callable[[], float]
    momentum: float
    decay: float
    buffer: Callable[[], Tensor | None]
    rewound: Callable[[], AbstractContextManager[None]] = nullcontext

    def alpha_gradient(self, batch: GraphBatch) -> tuple[list[Tensor], Tensor]:
        """Gradient with respect to the alphas alone, and the loss."""
        self.w.freeze(True)
        try:
            loss = self._loss(batch)
            rows = list(self.alphas.parameters())
            # Once every link of a space is decided, nothing depends on its alphas any more.
            found = (
                torch.autograd.grad(loss, rows, allow_unused=True, materialize_grads=True)
                if loss.requires_grad
                else [torch.zeros_like(row) for row in rows]
            )
        finally:
            self.w.freeze(False)
        return list(found), loss.detach()

    def weight_gradient(self, batch: GraphBatch) -> tuple[Tensor, Tensor]:
        """Gradient with respect to the weights alone (a view of their buffer), and the loss."""
        self.w.grad.zero_()
        self.alphas.requires_grad_(False)
        try:
            loss = self._loss(batch)
            loss.backward()  # type: ignore[no-untyped-call]
        finally:
            self.alphas.requires_grad_(True)
        return self.w.grad, loss.detach()

    def _loss(self, batch: GraphBatch) -> Tensor:
        return self.loss(batch, flatten(self.weighting(self.alphas)))


# (both levels, batch of the training half, batch of the held-out half) -> gradients and loss
Update = Callable[[Bilevel, GraphBatch, GraphBatch], tuple[list[Tensor], Tensor]]


def first_order(
    levels: Bilevel, train: GraphBatch, held_out: GraphBatch
) -> tuple[list[Tensor], Tensor]:
    """``d L_val(w, alpha) / d alpha``."""
    return levels.alpha_gradient(held_out)


def second_order(
    levels: Bilevel, train: GraphBatch, held_out: GraphBatch
) -> tuple[list[Tensor], Tensor]:
    """The gradient through one unrolled step of the weights.

    With ``w' = w - xi (m + dL_train/dw + decay w)``, m the momentum's share, it is
    ``dL_val(w')/da - xi d2L_train/(da dw) dL_val/dw'``. The product with the Hessian is a
    finite difference: ``(dL_train(w+)/da - dL_train(w-)/da) / 2 eps`` at ``w+- = w +- eps v``,
    ``v = dL_val/dw'`` and ``eps = 0.01 / |v|``. All of it sees the dropout masks that the step
    of the weights will: a difference of two masks over so small an ``eps`` would drown the rest.
    The unrolled step is not clipped, the real one is.
    """
    w, xi = levels.w, levels.rate()
    start = w.data.clone()
    with levels.rewound():
        gradient, _ = levels.weight_gradient(train)
    step = gradient + levels.decay * start
    buffer = levels.buffer()
    if buffer is not None:
        step += levels.momentum * buffer
    w.data.sub_(step, alpha=xi)
    with levels.rewound():
        direction = levels.weight_gradient(held_out)[0].clone()
    with levels.rewound():
        outer, loss = levels.alpha_gradient(held_out)
    eps = 0.01 / float(direction.norm().clamp(min=1e-12))
    w.data.copy_(start).add_(direction, alpha=eps)
    with levels.rewound():
        plus, _ = levels.alpha_gradient(train)
    w.data.copy_(start).sub_(direction, alpha=eps)
    with levels.rewound():
        minus, _ = levels.alpha_gradient(train)
    w.data.copy_(start)
    inner = [(p - m) / (2 * eps) for p, m in zip(plus, minus, strict=True)]
    return [o - xi * i for o, i in zip(outer, inner, strict=True)], loss


def mixed_level(
    levels: Bilevel, train: GraphBatch, held_out: GraphBatch
) -> tuple[list[Tensor], Tensor]:
    """MiLeNAS: ``dL_val/da + dL_train/da``, so that the alphas see all of the data."""
    outer, loss = levels.alpha_gradient(held_out)
    inner, _ = levels.alpha_gradient(train)
    return [o + i for o, i in zip(outer, inner, strict=True)], loss
