"""What a relation sees of its two ends: ``(V_s (R, d), V_t (R, d), undirected) -> (R, d)``.

On undirected relations a function must not tell the ends apart.
"""

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

RelationFunction: TypeAlias = Callable[[Tensor, Tensor, bool], Tensor]


def subtract(V_s: Tensor, V_t: Tensor, undirected: bool) -> Tensor:
    """``V_s - V_t``; its absolute value on undirected relations."""
    difference = V_s - V_t
    return difference.abs() if undirected else difference


def gauss(V_s: Tensor, V_t: Tensor, undirected: bool) -> Tensor:
    """``exp(-(V_s - V_t)^2 / 2)``, elementwise."""
    del undirected
    return torch.exp((V_s - V_t).square() * -0.5)


def hadamard(V_s: Tensor, V_t: Tensor, undirected: bool) -> Tensor:
    """``V_s * V_t``."""
    del undirected
    return V_s * V_t


def maximum(V_s: Tensor, V_t: Tensor, undirected: bool) -> Tensor:
    """``max(V_s, V_t)``; equal values share the gradient equally."""
    del undirected
    return torch.maximum(V_s, V_t)


def add(V_s: Tensor, V_t: Tensor, undirected: bool) -> Tensor:
    """``V_s + V_t``."""
    del undirected
    return V_s + V_t


def average(V_s: Tensor, V_t: Tensor, undirected: bool) -> Tensor:
    """``(V_s + V_t) / 2``."""
    del undirected
    return (V_s + V_t) * 0.5
