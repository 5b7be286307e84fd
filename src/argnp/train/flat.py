"""All weights of a network in one buffer, so that a step of the optimiser is one operation."""

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from argnp.nets.bank import Bank


class FlatParameters:
    """Parameters laid end to end; each one, and its gradient, becomes a view of the buffers.

    ``parameter`` is the buffer as one parameter, for an optimiser; its ``grad`` is always there.
    """

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self.members = list(parameters)
        flat = torch.cat([p.detach().reshape(-1) for p in self.members])
        self.parameter = nn.Parameter(flat)
        self.parameter.grad = torch.zeros_like(flat)
        offset = 0
        for member in self.members:
            span = slice(offset, offset + member.numel())
            member.data = self.parameter.data[span].view_as(member)
            member.grad = self.parameter.grad[span].view_as(member)
            offset += member.numel()

    @property
    def data(self) -> Tensor:
        return self.parameter.data

    @property
    def grad(self) -> Tensor:
        assert self.parameter.grad is not None
        return self.parameter.grad

    @property
    def finite(self) -> bool:
        """Whether every weight is a number."""
        return bool(torch.isfinite(self.data).all())

    def freeze(self, frozen: bool) -> None:
        """Whether backward passes leave these weights' gradients out."""
        for member in self.members:
            member.requires_grad_(not frozen)


def split_decayed(network: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """Matrices, which weight decay shrinks, and the rest (biases, gains), which it leaves.

    The bank of a vertex holds matrices and biases as one; its biases decay with its matrices.
    Its gains and shifts are vectors too, one below the other.
    """
    stacked = {
        id(parameter)
        for module in network.modules()
        if isinstance(module, Bank)
        for parameter in (module.gain, module.shift)
    }
    decayed: list[nn.Parameter] = []
    left: list[nn.Parameter] = []
    for parameter in network.parameters():
        vectors = parameter.ndim < 2 or id(parameter) in stacked
        (left if vectors else decayed).append(parameter)
    return decayed, left
