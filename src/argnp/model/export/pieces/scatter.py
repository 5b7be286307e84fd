"""Rows summed up by the number that each carries: messages by node, nodes by graph."""

import torch
from torch import Tensor


def scatter_sum(x: Tensor, index: Tensor, size: int) -> Tensor:
    """``sum x`` over the rows of equal index: (rows, d) to (size, d)."""
    return x.new_zeros(size, x.shape[1]).index_add(0, index, x)


def scatter_count(x: Tensor, index: Tensor, size: int) -> Tensor:
    """(size, 1): how many rows carry each index."""
    return scatter_sum(x.new_ones(x.shape[0], 1), index, size)


def scatter_mean(x: Tensor, index: Tensor, size: int) -> Tensor:
    """``mean x``; 0 where no row is."""
    return scatter_sum(x, index, size) / scatter_count(x, index, size).clamp(min=1)


def scatter_max(x: Tensor, index: Tensor, size: int) -> Tensor:
    """``max x``, column by column; 0 where no row is."""
    columns = index[:, None].expand_as(x)
    start = x.new_zeros(size, x.shape[1])
    return start.scatter_reduce(0, columns, x, "amax", include_self=False)


def scatter_std(x: Tensor, index: Tensor, size: int) -> Tensor:
    """``sqrt(mean (x - mean x)^2 + eps)``; 0 where no row is."""
    centred = x - scatter_mean(x, index, size)[index]
    root = (scatter_mean(centred.square(), index, size) + 1e-5).sqrt()
    return root * (scatter_count(x, index, size) > 0)


def scatter_gem2(x: Tensor, index: Tensor, size: int) -> Tensor:
    """``(mean x^2 + eps)^(1/2)``; 0 where no row is."""
    root = (scatter_mean(x.square(), index, size) + 1e-5).sqrt()
    return root * (scatter_count(x, index, size) > 0)


def scatter_gem3(x: Tensor, index: Tensor, size: int) -> Tensor:
    """``(relu(mean x^3) + eps)^(1/3)``; 0 where no row is."""
    root = (torch.relu(scatter_mean(x.pow(3), index, size)) + 1e-5).pow(1 / 3)
    return root * (scatter_count(x, index, size) > 0)
