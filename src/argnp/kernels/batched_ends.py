"""What follows a cell, with gradients that are computed in one go."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import leaky_relu

from argnp.kernels.batched_norm import Rows
from argnp.kernels.core import EPS, MOMENTUM, SLOPE, AffineNorm
from argnp.kernels.topology import Segments


def batched_norm_act(x: Tensor, weight: Tensor | None, norm: AffineNorm) -> Tensor:
    """`Core.norm_act` of ``x`` (rows, d)."""
    count = x.shape[0] if weight is None else int(weight.sum())
    out: Tensor = _NormAct.apply(  # type: ignore[no-untyped-call]
        norm, Rows(count, weight), x, norm.scale, norm.shift
    )
    return out


def batched_read_out(rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
    """`Core.read_out` of ``rows`` (R, d)."""
    out: Tensor = _ReadOut.apply(segments, mean, rows)  # type: ignore[no-untyped-call]
    return out


class _NormAct(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, norm: AffineNorm, rows: Rows, x: Tensor, scale: Tensor, shift: Tensor
    ) -> Tensor:
        ctx.rows = rows
        ctx.by_batch = norm.training and rows.count >= 2
        if ctx.by_batch:
            mean = rows.sum(x) / rows.count
            centred = x - mean
            var = rows.sum(centred.square()) / rows.count
            unbiased = var * (rows.count / (rows.count - 1))
            norm.mean.lerp_(mean.to(norm.mean.dtype), MOMENTUM)
            norm.var.lerp_(unbiased.to(norm.var.dtype), MOMENTUM)
        else:
            centred, var = x - norm.mean.to(x.dtype), norm.var.to(x.dtype)
        rstd = torch.rsqrt(var + EPS)
        out = leaky_relu(torch.addcmul(shift, centred, rstd * scale), SLOPE)
        ctx.save_for_backward(centred, rstd, scale, out)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """With g the gradient before the activation and x the normalised input: shift takes sum g,
        scale sum g x, the input scale / deviation (g - w (sum g + x sum g x) / count)."""
        centred, rstd, scale, out = ctx.saved_tensors
        rows: Rows = ctx.rows
        g = torch.ops.aten.leaky_relu_backward(grad, out, SLOPE, True)
        dshift, dscale = g.sum(0), (g * centred).sum(0) * rstd
        if ctx.by_batch:
            drift = torch.addcmul(dshift, centred, dscale * rstd).div_(rows.count)
            g.sub_(drift if rows.weight is None else drift.mul_(rows.weight.to(g.dtype)[:, None]))
        return None, None, g.mul_(scale * rstd), dscale, dshift


class _ReadOut(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, segments: Segments, mean: bool, rows: Tensor) -> Tensor:
        graphs, width = segments.ptr.shape[0] - 1, rows.shape[1]
        weight = None if segments.weight is None else segments.weight.to(rows.dtype)[:, None]
        weighed = rows if weight is None else rows * weight
        total = rows.new_zeros(graphs, width).index_add_(0, segments.graph, weighed)
        share = None
        if mean:
            ones = rows.new_ones(rows.shape[0], 1) if weight is None else weight
            count = rows.new_zeros(graphs, 1).index_add_(0, segments.graph, ones)
            share = 1 / count.clamp_(min=1)
            total.mul_(share)
        index = segments.graph.long()[:, None].expand_as(rows)
        most = rows.new_zeros(graphs, width)
        most.scatter_reduce_(0, index, rows, "amax", include_self=False)
        ctx.segments, ctx.weight, ctx.share = segments, weight, share
        ctx.save_for_backward(rows, most)
        return torch.cat([total, most], 1)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Equal largest rows share the maximum's gradient equally."""
        rows, most = ctx.saved_tensors
        graph = ctx.segments.graph
        of_total, of_most = grad.tensor_split(2, 1)
        if ctx.share is not None:
            of_total = of_total * ctx.share
        found = of_total.index_select(0, graph)
        if ctx.weight is not None:
            found.mul_(ctx.weight)
        winner = (rows == most.index_select(0, graph)).to(rows.dtype)
        ties = torch.zeros_like(most).index_add_(0, graph, winner).clamp_(min=1)
        found.addcmul_((of_most / ties).index_select(0, graph), winner)
        return None, None, found
