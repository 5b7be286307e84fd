"""The end of a cell in one call: the streams are read where they are, never laid side by side."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from argnp.kernels import fused_abi as abi


def fused_gather(streams: Sequence[Tensor], weight: Tensor) -> Tensor:
    """``act([X_1 | .. | X_S]) W^T`` of streams (rows, d), ``weight`` (outputs, S d)."""
    rows, width = streams[0].shape
    floats = (weight, *streams)
    assert all(t.dtype == torch.float32 and t.device.type == "cpu" for t in floats)
    assert all(stream.shape == (rows, width) for stream in streams)
    assert weight.shape[1] == width * len(streams)
    out: Tensor = _Gather.apply(  # type: ignore[no-untyped-call]
        weight.contiguous(), *(stream.contiguous() for stream in streams)
    )
    return out


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weight: Tensor, *streams: Tensor) -> Tensor:
        ctx.save_for_backward(weight, *streams)
        out = weight.new_empty(streams[0].shape[0], weight.shape[0])
        problem, alive = _problem(weight, streams)
        problem.Y = abi.pointer(out)
        abi.run("forward_gather", problem)
        del alive
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        weight, *streams = ctx.saved_tensors
        needs_weight, *needs_stream = ctx.needs_input_grad
        grad = grad.contiguous()
        weight_grad = torch.empty_like(weight) if needs_weight else None
        grads = [
            torch.empty_like(stream) if need else None
            for stream, need in zip(streams, needs_stream, strict=True)
        ]
        problem, alive = _problem(weight, streams)
        to = abi.pointers(grads)
        problem.dY, problem.dX = abi.pointer(grad), abi.address(to)
        problem.dW = abi.pointer(weight_grad)
        abi.run("backward_gather", problem)
        del alive
        return weight_grad, *grads


def _problem(weight: Tensor, streams: Sequence[Tensor]) -> tuple[abi.Gather, object]:
    """The structure, and what has to live as long as it is used."""
    X = abi.pointers(streams)
    rows, width = streams[0].shape
    problem = abi.Gather(
        rows=rows,
        streams=len(streams),
        inputs=width,
        outputs=weight.shape[0],
        threads=torch.get_num_threads(),
        X=abi.address(X),
        W=abi.pointer(weight),
    )
    return problem, X
