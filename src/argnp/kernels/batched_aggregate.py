"""The aggregators of several operations at once, with their gradients.

Messages are (M, k, d). Sums, means, roots of moments and deviations share their gathers and
sums and are told apart by slices of k, which is sorted for it; the largest message goes alone.
"""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from argnp.kernels.batched_routes import Routes
from argnp.kernels.core import EPS

MOMENTS: Final = ("V_SUM", "V_MEAN", "V_GEM2", "V_GEM3", "V_STD")
LARGEST: Final = ("V_MAX",)
# ``V_GEM3`` where its moment is not positive; roots of equal numbers may round apart.
_FLOOR: Final = EPS ** (1 / 3) * (1 + 1e-6)


class Moments:
    """``V_SUM``, ``V_MEAN``, ``V_GEM2``, ``V_GEM3``, ``V_STD`` of an (n, k, d) tile."""

    def __init__(self, operations: Sequence[str]) -> None:
        self._linear = all(name in {"V_SUM", "V_MEAN"} for name in operations)
        self._slices: dict[str, slice] = {}
        for name in MOMENTS:
            first = sum(MOMENTS.index(other) < MOMENTS.index(name) for other in operations)
            if count := operations.count(name):
                self._slices[name] = slice(first, first + count)

    def forward(self, messages: Tensor, routes: Routes) -> tuple[Tensor, Tensor]:
        """(aggregate (n, k, d), means of the ``V_STD`` slice); overwrites ``messages``."""
        for name, power in (("V_GEM2", 2), ("V_GEM3", 3)):
            if part := self._slices.get(name):
                messages[:, part].pow_(power)
        value = routes.into.sum(messages)
        share = _share(routes, value)
        mean = value.new_empty(0)
        for name, part in self._slices.items():
            x = value[:, part]
            if name != "V_SUM":
                x.mul_(share)
            if name == "V_GEM2":
                x.relu_().add_(EPS).sqrt_()
            elif name == "V_GEM3":
                x.relu_().add_(EPS).pow_(1 / 3)
            elif name == "V_STD":
                mean = x.clone()
                centred = messages[:, part] - mean.index_select(0, routes.target)
                torch.mul(routes.into.sum(centred.square_()), share, out=x)
                x.add_(EPS).sqrt_()
        # eps leaves its root where no message arrives
        return (
            value if routes.isolated is None else value.index_fill_(0, routes.isolated, 0.0)
        ), mean

    def backward(
        self, grad: Tensor, value: Tensor, mean: Tensor, messages: Tensor | None, routes: Routes
    ) -> Tensor:
        """Gradient of the messages; ``grad`` and ``messages`` are overwritten.

        With ``p = 1 / degree``: sum 1, mean p, ``V_GEM2`` p M / value, ``V_GEM3`` p M^2 /
        value^2, 0 where its moment is not positive, ``V_STD`` p (M - mean) / value. Nodes
        without messages have a value of 0 and so no number here, but nothing gathers it.
        """
        share = _share(routes, grad)
        for name, part in self._slices.items():
            g, x = grad[:, part], value[:, part]
            if name != "V_SUM":
                g.mul_(share)
            if name in {"V_GEM2", "V_STD"}:
                g.div_(x)
            elif name == "V_GEM3":
                g.div_(x).div_(x).mul_(x > _FLOOR)
        dmessages = grad.index_select(0, routes.target)
        if messages is not None:
            for name, part in self._slices.items():
                m = messages[:, part]
                if name == "V_GEM2":
                    dmessages[:, part].mul_(m)
                elif name == "V_GEM3":
                    dmessages[:, part].mul_(m.square_())
                elif name == "V_STD":
                    dmessages[:, part].mul_(m.sub_(mean.index_select(0, routes.target)))
        return dmessages

    @property
    def needs_messages(self) -> bool:
        """Whether the gradient depends on the messages."""
        return not self._linear


class Largest:
    """``V_MAX``: equal largest messages share the gradient equally."""

    needs_messages = True

    def forward(self, messages: Tensor, routes: Routes) -> tuple[Tensor, Tensor]:
        """(aggregate (n, k, d), nothing)."""
        rows = messages.flatten(1)
        index = routes.target.long()[:, None].expand_as(rows)
        value = rows.new_zeros(routes.degree.shape[0], rows.shape[1])
        value.scatter_reduce_(0, index, rows, "amax", include_self=False)
        return value.view(-1, *messages.shape[1:]), value.new_empty(0)

    def backward(
        self, grad: Tensor, value: Tensor, mean: Tensor, messages: Tensor | None, routes: Routes
    ) -> Tensor:
        """Gradient of the messages."""
        del mean
        assert messages is not None
        winner = (messages == value.index_select(0, routes.target)).to(grad.dtype)
        share = grad.div_(routes.into.sum(winner).clamp_(min=1))
        return share.index_select(0, routes.target).mul_(winner)


def _share(routes: Routes, like: Tensor) -> Tensor:
    """(n, 1, 1) 1 / degree, 0 where no message arrives."""
    degree = routes.degree.to(like.dtype)
    return torch.where(degree > 0, 1 / degree.clamp(min=1), 0.0)[:, None, None]
