"""What a relation sees of the two nodes it joins, (m, d) and (m, d) to (m, d)."""

import torch
from torch import Tensor


def difference(V_s: Tensor, V_t: Tensor) -> Tensor:
    """``V_s - V_t``."""
    return V_s - V_t


def distance(V_s: Tensor, V_t: Tensor) -> Tensor:
    """``|V_s - V_t|``: the same in both directions."""
    return (V_s - V_t).abs()


def gauss(V_s: Tensor, V_t: Tensor) -> Tensor:
    """``exp(-(V_s - V_t)^2 / 2)``."""
    return torch.exp(-(V_s - V_t).square() / 2)


def product(V_s: Tensor, V_t: Tensor) -> Tensor:
    """``V_s * V_t``."""
    return V_s * V_t


def maximum(V_s: Tensor, V_t: Tensor) -> Tensor:
    """``max(V_s, V_t)``."""
    return torch.maximum(V_s, V_t)


def both(V_s: Tensor, V_t: Tensor) -> Tensor:
    """``V_s + V_t``."""
    return V_s + V_t


def average(V_s: Tensor, V_t: Tensor) -> Tensor:
    """``(V_s + V_t) / 2``."""
    return (V_s + V_t) / 2
