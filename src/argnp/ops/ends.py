"""What follows a cell: the end of a layer, and one row per graph."""

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from argnp.kernels.core import SLOPE, AffineNorm
from argnp.kernels.topology import Segments
from argnp.ops.aggregators import aggregate_max, aggregate_sum
from argnp.ops.normalise import batchnorm


def norm_act(x: Tensor, weight: Tensor | None, norm: AffineNorm) -> Tensor:
    """``act(scale * (x - mean) / sqrt(var + eps) + shift)`` per column of ``x`` (rows, d)."""
    normed = batchnorm(x, weight, norm.mean, norm.var, norm.training)
    return leaky_relu(torch.addcmul(norm.shift, normed, norm.scale), SLOPE)


def read_out(rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
    """(G, 2 d) from (R, d): ``[sum or mean | max]`` over the rows of each graph."""
    graphs = segments.ptr.shape[0] - 1
    weight = segments.weight
    weight = rows.new_ones(rows.shape[0]) if weight is None else weight.to(rows.dtype)
    count = rows.new_zeros(graphs).index_add(0, segments.graph, weight)
    total = aggregate_sum(rows * weight[:, None], segments.graph, graphs, count)
    if mean:
        total = total / count.clamp(min=1)[:, None]
    return torch.cat([total, aggregate_max(rows, segments.graph, graphs, count)], 1)
