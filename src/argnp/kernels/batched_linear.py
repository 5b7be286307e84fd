"""Linear layers of several operations at once, with their gradients.

Activations are (rows, k, d): k operations side by side in each row, so that a gather or a
scatter moves the channels of all of them together. Weights are (k, inputs, outputs) views of
bank rows. A ``wide`` layer has one input for all k operations, a ``grouped`` one has one each.
"""

from collections.abc import Mapping
from typing import TypeAlias

import torch
from torch import Tensor

from argnp.kernels.core import SLOPE

Weights: TypeAlias = Mapping[str, Tensor]


def wide(x: Tensor, weights: Weights, name: str) -> Tensor:
    """``x W_k + b_k`` for every k: (rows, inputs) -> (rows, k, outputs), one product."""
    bias = weights[f"{name}.bias"]
    y = torch.addmm(bias.reshape(-1), x, _side_by_side(weights[f"{name}.weight"]))
    return y.view(x.shape[0], *bias.shape)


def wide_input_grad(grad: Tensor, weights: Weights, name: str) -> Tensor:
    """``sum over k of grad_k W_k^T``: (rows, k, outputs) -> (rows, inputs)."""
    weight = _side_by_side(weights[f"{name}.weight"])
    return grad.flatten(1) @ weight.t()


def wide_weight_grad(x: Tensor, grad: Tensor, into: Weights, name: str) -> None:
    """``x^T grad_k`` and the column sums of ``grad_k``, written to ``into``."""
    weight = into[f"{name}.weight"]
    k, inputs, outputs = weight.shape
    weight.copy_((x.t() @ grad.flatten(1)).view(inputs, k, outputs).transpose(0, 1))
    torch.sum(grad, 0, out=into[f"{name}.bias"])


def grouped(x: Tensor, weights: Weights, name: str, out: Tensor | None = None) -> Tensor:
    """``x_k W_k + b_k``: (rows, k, inputs) -> (rows, k, outputs), into ``out`` if given."""
    bias = weights[f"{name}.bias"]
    y = x.new_empty(x.shape[0], *bias.shape) if out is None else out
    by_k = y.transpose(0, 1)
    torch.baddbmm(bias[:, None], x.transpose(0, 1), weights[f"{name}.weight"], out=by_k)
    return y


def grouped_input_grad(grad: Tensor, weights: Weights, name: str) -> Tensor:
    """``grad_k W_k^T``: (rows, k, outputs) -> (rows, k, inputs)."""
    weight = weights[f"{name}.weight"].transpose(1, 2)
    out = grad.new_empty(grad.shape[0], weight.shape[0], weight.shape[2])
    torch.bmm(grad.transpose(0, 1), weight, out=out.transpose(0, 1))
    return out


def add_grouped_input_grad(total: Tensor, grad: Tensor, weights: Weights, name: str) -> None:
    """Add ``grad_k W_k^T`` to ``total`` in place."""
    total.transpose(0, 1).baddbmm_(grad.transpose(0, 1), weights[f"{name}.weight"].transpose(1, 2))


def grouped_weight_grad(x: Tensor, grad: Tensor, into: Weights, name: str) -> None:
    """``x_k^T grad_k`` and the column sums of ``grad_k``, written to ``into``."""
    torch.bmm(x.permute(1, 2, 0), grad.transpose(0, 1), out=into[f"{name}.weight"])
    torch.sum(grad, 0, out=into[f"{name}.bias"])


def act_(x: Tensor) -> Tensor:
    """LeakyReLU(0.2) in place."""
    return torch.nn.functional.leaky_relu_(x, SLOPE)


def act_grad_(grad: Tensor, activated: Tensor) -> Tensor:
    """Gradient through LeakyReLU in place, from its output, whose sign is the input's."""
    torch.ops.aten.leaky_relu_backward.grad_input(grad, activated, SLOPE, True, grad_input=grad)
    return grad


def sigmoid_grad_(grad: Tensor, squashed: Tensor) -> Tensor:
    """Gradient through the sigmoid in place, from its output."""
    torch.ops.aten.sigmoid_backward.grad_input(grad, squashed, grad_input=grad)
    return grad


def _side_by_side(weight: Tensor) -> Tensor:
    """(k, inputs, outputs) -> (inputs, k * outputs)."""
    return weight.transpose(0, 1).flatten(1)
