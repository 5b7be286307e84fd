"""What a head reads, and what becomes of several networks' outputs."""

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from argnp.model.export.pieces.scatter import scatter_max, scatter_mean, scatter_sum


def graphs_of(
    V: Tensor,
    batch: Tensor | None,
    num_graphs: int | None,
) -> tuple[Tensor, int]:
    """The graph of each node and the number of graphs; without ``batch``, one graph."""
    if batch is None:
        return torch.zeros(V.shape[0], dtype=torch.int64, device=V.device), 1
    if num_graphs is None:
        num_graphs = int(batch.max()) + 1
    return batch, num_graphs


def mean_and_max(x: Tensor, graph: Tensor, graphs: int) -> Tensor:
    """``[mean x | max x]`` of every graph's rows; 0 for a graph without any."""
    return torch.cat([scatter_mean(x, graph, graphs), scatter_max(x, graph, graphs)], 1)


def sum_and_max(x: Tensor, graph: Tensor, graphs: int) -> Tensor:
    """``[sum x | max x]`` of every graph's rows; 0 for a graph without any."""
    return torch.cat([scatter_sum(x, graph, graphs), scatter_max(x, graph, graphs)], 1)


def ends(V: Tensor, pairs: Tensor) -> Tensor:
    """``[V_s | V_t]`` of every pair: (n, d) and (2, l) to (l, 2 d)."""
    return torch.cat([V[pairs[0]], V[pairs[1]]], 1)


def mean_value(outputs: Tensor) -> Tensor:
    """Mean prediction of the members: (members, rows, columns) to (rows, columns)."""
    return outputs.mean(0)


def mean_softmax(outputs: Tensor) -> Tensor:
    """Logits whose softmax is the mean of the members': (members, rows, classes)."""
    return outputs.log_softmax(2).logsumexp(0)


def mean_sigmoid(outputs: Tensor) -> Tensor:
    """Logits whose sigmoid is the mean of the members': (members, rows, labels)."""
    return logsigmoid(outputs).logsumexp(0) - logsigmoid(-outputs).logsumexp(0)
