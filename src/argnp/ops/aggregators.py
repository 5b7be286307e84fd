"""How a node takes in its messages.

Every aggregator maps ``(messages (M, d), target (M,) int32, num_nodes n, degree (n,))`` to
(n, d); ``degree`` is the number of messages that end in a node, in the messages' dtype. A node
without messages gets 0, and finite gradients.
"""

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

from argnp.kernels.core import EPS

Aggregator: TypeAlias = Callable[[Tensor, Tensor, int, Tensor], Tensor]


def aggregate_sum(messages: Tensor, target: Tensor, num_nodes: int, degree: Tensor) -> Tensor:
    """``sum M``."""
    del degree
    total = messages.new_zeros(num_nodes, messages.shape[1])
    return total.index_add(0, target, messages)


def aggregate_mean(messages: Tensor, target: Tensor, num_nodes: int, degree: Tensor) -> Tensor:
    """``sum M / degree``."""
    total = aggregate_sum(messages, target, num_nodes, degree)
    return total / degree.clamp(min=1)[:, None]


def aggregate_max(messages: Tensor, target: Tensor, num_nodes: int, degree: Tensor) -> Tensor:
    """``max M`` per channel; equal largest messages share the gradient equally."""
    index = target.long()[:, None].expand_as(messages)
    # From -inf: torch would let a start of 0 share the gradient of a maximum that is 0.
    lowest = messages.new_full((num_nodes, messages.shape[1]), -torch.inf)
    highest = lowest.scatter_reduce(0, index, messages, "amax")
    return torch.where((degree > 0)[:, None], highest, 0.0)


def aggregate_std(messages: Tensor, target: Tensor, num_nodes: int, degree: Tensor) -> Tensor:
    """``sqrt(relu(var M) + eps)`` with the true variance, ``mean (M - mean M)^2``.

    The messages are centred before they are squared: the difference of two large means would
    lose a small variance to rounding.
    """
    mean = aggregate_mean(messages, target, num_nodes, degree)
    centred = messages - mean.index_select(0, target)
    variance = aggregate_mean(centred.square(), target, num_nodes, degree)
    return _where_reached(torch.sqrt(torch.relu(variance) + EPS), degree)


def aggregate_gem2(messages: Tensor, target: Tensor, num_nodes: int, degree: Tensor) -> Tensor:
    """``(relu(mean M^2) + eps)^(1/2)``."""
    power = aggregate_mean(messages.square(), target, num_nodes, degree)
    return _where_reached(torch.sqrt(torch.relu(power) + EPS), degree)


def aggregate_gem3(messages: Tensor, target: Tensor, num_nodes: int, degree: Tensor) -> Tensor:
    """``(relu(mean M^3) + eps)^(1/3)``."""
    power = aggregate_mean(messages.pow(3), target, num_nodes, degree)
    return _where_reached((torch.relu(power) + EPS).pow(1 / 3), degree)


def _where_reached(value: Tensor, degree: Tensor) -> Tensor:
    """``value`` where messages arrive, 0 elsewhere; eps would leave its root there."""
    return value * (degree > 0)[:, None]
