"""What follows a cell, in compiled code: the end of a layer, and one row per graph."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from argnp.kernels import fused_abi as abi
from argnp.kernels.core import AffineNorm
from argnp.kernels.topology import Segments


def fused_norm_act(x: Tensor, weight: Tensor | None, norm: AffineNorm) -> Tensor:
    """`Core.norm_act` of ``x`` (rows, d)."""
    out: Tensor = _NormAct.apply(  # type: ignore[no-untyped-call]
        norm, weight, x.contiguous(), norm.scale, norm.shift
    )
    return out


def fused_read_out(rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
    """`Core.read_out` of ``rows`` (R, d)."""
    out: Tensor = _ReadOut.apply(segments, mean, rows.contiguous())  # type: ignore[no-untyped-call]
    return out


class _NormAct(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, norm: AffineNorm, weight: Tensor | None, x: Tensor, scale: Tensor, shift: Tensor
    ) -> Tensor:
        parts = (x, scale, shift, norm.mean, norm.var, *(() if weight is None else (weight,)))
        assert all(t.dtype == torch.float32 and t.is_cpu and t.is_contiguous() for t in parts)
        assert all(t.shape == x.shape[1:] for t in (scale, shift, norm.mean, norm.var))
        assert weight is None or weight.shape == x.shape[:1]
        out, settled = torch.empty_like(x), x.new_empty(2, x.shape[1])
        problem = _norm_act(norm, weight, x, scale, shift, settled)
        problem.Y = abi.pointer(out)
        abi.run("forward_norm_act", problem)
        ctx.save_for_backward(x, scale, shift, settled)
        ctx.norm, ctx.weight = norm, weight
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, scale, shift, settled = ctx.saved_tensors
        grad = grad.contiguous()
        dx = torch.empty_like(x) if ctx.needs_input_grad[2] else None
        dscale, dshift = torch.empty_like(scale), torch.empty_like(shift)
        problem = _norm_act(ctx.norm, ctx.weight, x, scale, shift, settled)
        problem.dY, problem.dX = abi.pointer(grad), abi.pointer(dx)
        problem.dscale, problem.dshift = abi.pointer(dscale), abi.pointer(dshift)
        abi.run("backward_norm_act", problem)
        return None, None, dx, dscale, dshift


def _norm_act(
    norm: AffineNorm,
    weight: Tensor | None,
    x: Tensor,
    scale: Tensor,
    shift: Tensor,
    settled: Tensor,
) -> abi.NormAct:
    """The structure without what one direction alone has; ``settled``: (mean, 1 / deviation)."""
    return abi.NormAct(
        rows=x.shape[0],
        width=x.shape[1],
        threads=torch.get_num_threads(),
        training=int(norm.training),
        X=abi.pointer(x),
        weights=abi.pointer(weight),
        scale=abi.pointer(scale),
        shift=abi.pointer(shift),
        running_mean=abi.pointer(norm.mean),
        running_var=abi.pointer(norm.var),
        mean=abi.pointer(settled[0]),
        rstd=abi.pointer(settled[1]),
    )


class _ReadOut(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, segments: Segments, mean: bool, rows: Tensor) -> Tensor:
        floats = (rows, *(() if segments.weight is None else (segments.weight,)))
        assert all(t.dtype == torch.float32 and t.is_cpu and t.is_contiguous() for t in floats)
        assert segments.ptr.dtype == torch.int32
        assert int(segments.ptr[-1]) == rows.shape[0]
        graphs = segments.ptr.shape[0] - 1
        out = rows.new_empty(graphs, 2 * rows.shape[1])
        ties = rows.new_empty(graphs, rows.shape[1])
        problem = _read_out(segments, mean, rows, out, ties)
        abi.run("forward_read_out", problem)
        ctx.save_for_backward(rows, out, ties)
        ctx.segments, ctx.mean = segments, mean
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        rows, out, ties = ctx.saved_tensors
        grad, found = grad.contiguous(), torch.empty_like(rows)
        problem = _read_out(ctx.segments, ctx.mean, rows, out, ties)
        problem.dY, problem.dX = abi.pointer(grad), abi.pointer(found)
        abi.run("backward_read_out", problem)
        return None, None, found


def _read_out(
    segments: Segments, mean: bool, rows: Tensor, out: Tensor, ties: Tensor
) -> abi.ReadOut:
    return abi.ReadOut(
        graphs=segments.ptr.shape[0] - 1,
        width=rows.shape[1],
        threads=torch.get_num_threads(),
        mean=int(mean),
        X=abi.pointer(rows),
        weights=abi.pointer(segments.weight),
        ptr=abi.pointer(segments.ptr),
        Y=abi.pointer(out),
        ties=abi.pointer(ties),
    )
