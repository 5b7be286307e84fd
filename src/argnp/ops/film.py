"""Feature-wise linear modulation: one stream's features scale and shift the other's."""

from collections.abc import Mapping
from typing import TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from argnp.kernels.core import SLOPE

Weights: TypeAlias = Mapping[str, Tensor]


def act(x: Tensor) -> Tensor:
    """LeakyReLU(0.2)."""
    return leaky_relu(x, SLOPE)


def linear(x: Tensor, weights: Weights, name: str) -> Tensor:
    """``x W + b`` with the weights called ``name``: (rows, inputs) -> (rows, outputs)."""
    return torch.addmm(weights[f"{name}.bias"], x, weights[f"{name}.weight"])


def film(x: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    """``z = act(W2 act(W1 x))``, ``gamma = sigmoid(Wk z)``, ``beta = Wb z``, all with bias."""
    z = act(linear(act(linear(x, weights, "film1")), weights, "film2"))
    return torch.sigmoid(linear(z, weights, "gamma")), linear(z, weights, "beta")
