"""A cell as one step of autograd.

The gradient of a stream is one buffer, to which every vertex that reads the stream adds in place;
left to autograd, each of them would clear a buffer of its own, to be added up afterwards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from argnp.kernels.core import Pair, Step, put
from argnp.kernels.fused_check import check
from argnp.kernels.fused_memory import Lease
from argnp.kernels.fused_vertex import (
    Call,
    Gradients,
    Kept,
    Operands,
    backward,
    forward,
)
from argnp.kernels.topology import Topology


@dataclass(frozen=True)
class _Reading:
    """A call, and which tensors it reads: positions in the inputs followed by the results."""

    call: Call
    V: tuple[int, ...]
    E: tuple[int, ...]


@dataclass(frozen=True)
class _Course:
    """What a cell is besides its tensors: the inputs, then (bank, coef, shift) of each reading."""

    inputs: int
    readings: tuple[_Reading, ...]

    def weights(self, tensors: Sequence[Any], index: int) -> Sequence[Any]:
        """(bank, coef, shift) of a reading, or what stands in their places."""
        at = self.inputs + 3 * index
        return tensors[at : at + 3]

    def operands(
        self, tensors: Sequence[Tensor], streams: Sequence[Tensor], index: int
    ) -> Operands:
        reading = self.readings[index]
        V, E = ([streams[i] for i in places] for places in (reading.V, reading.E))
        bank, coef, shift = self.weights(tensors, index)
        return Operands(bank, coef, shift, V, E)

    def forward(self, tensors: Sequence[Any], *, keep: bool) -> tuple[list[Tensor], list[Kept]]:
        """The result of every reading, and what is kept of it."""
        streams, kept = list(tensors[: self.inputs]), []
        for index, reading in enumerate(self.readings):
            operands = self.operands(tensors, streams, index)
            check(reading.call, operands)
            out, needed = forward(reading.call, operands, keep=keep)
            streams.append(out)
            if keep:
                kept.append(needed)
        return streams[self.inputs :], kept

    def wanted(self, needed: Sequence[bool]) -> list[bool]:
        """Which streams, inputs and results, a gradient has to reach."""
        wanted = list(needed[: self.inputs])
        for index, reading in enumerate(self.readings):
            sources = (wanted[i] for i in (*reading.V, *reading.E))
            wanted.append(any(self.weights(needed, index)) or any(sources))
        return wanted


def fused_cell(
    steps: Sequence[Step], streams: Mapping[int, Pair], topology: Topology
) -> dict[int, Pair]:
    """``streams``, and with them those of the steps."""
    inputs: list[Tensor] = []
    place: dict[tuple[str, int], int] = {}  # of a stream among inputs and results
    for number, pair in streams.items():
        for letter, stream in zip("VE", pair, strict=True):
            if stream is not None:
                place[letter, number] = _place(stream, inputs)
    readings = []
    for index, step in enumerate(steps):
        V, E = (
            tuple(place[letter, s] for s in step.sources if (letter, s) in place) for letter in "VE"
        )
        readings.append(_Reading(Call(step.space, step.terms, topology, step.norm), V, E))
        place["V" if step.space == "node" else "E", step.vertex] = len(inputs) + index
    tensors: list[Tensor | None] = [stream.contiguous() for stream in inputs]
    for step in steps:
        tensors += [step.bank, step.coef.contiguous(), step.shift]
    course = _Course(len(inputs), tuple(readings))
    if torch.is_grad_enabled() and any(t is not None and t.requires_grad for t in tensors):
        results = _Cell.apply(course, *tensors)  # type: ignore[no-untyped-call]
    else:
        results, _ = course.forward(tensors, keep=False)
    found = dict(streams)
    for step, out in zip(steps, results, strict=True):
        put(found, step, out)
    return found


def _place(stream: Tensor, inputs: list[Tensor]) -> int:
    """Where a stream stands among the inputs; both inputs of a cell may be one and the same."""
    for position, known in enumerate(inputs):
        if known is stream:
            return position
    inputs.append(stream)
    return len(inputs) - 1


class _Cell(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, course: _Course, *tensors: Tensor | None) -> tuple[Tensor, ...]:
        results, ctx.kept = course.forward(tensors, keep=True)
        ctx.course = course
        ctx.save_for_backward(*tensors, *results)
        ctx.set_materialize_grads(False)
        wanted = course.wanted(ctx.needs_input_grad[1:])[course.inputs :]
        ctx.mark_non_differentiable(
            *(out for out, is_wanted in zip(results, wanted, strict=True) if not is_wanted)
        )
        return tuple(results)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> tuple[Tensor | None, ...]:
        course: _Course = ctx.course
        count = len(course.readings)
        tensors, results = ctx.saved_tensors[:-count], ctx.saved_tensors[-count:]
        streams = [*tensors[: course.inputs], *results]
        needed = ctx.needs_input_grad[1:]
        wanted = course.wanted(needed)
        flowing: list[Tensor | None] = [None] * len(streams)
        # Gradients of results go no further: their memory serves the next cell.
        lease = Lease(sum(result.numel() for result in results))
        for position, grad in enumerate(grads, start=course.inputs):
            if grad is not None:  # a copy: what autograd hands over may be shared
                flowing[position] = lease.tensor(*grad.shape).copy_(grad)

        def buffer(position: int) -> Tensor | None:
            if not wanted[position]:
                return None
            if flowing[position] is None:
                like = streams[position]
                of_input = position < course.inputs
                room = torch.empty_like(like) if of_input else lease.tensor(*like.shape)
                flowing[position] = room.zero_()
            return flowing[position]

        weights: list[Tensor | None] = [None] * (3 * count)
        for index in reversed(range(count)):
            grad, reading = flowing[course.inputs + index], course.readings[index]
            if grad is None:
                continue
            operands = course.operands(tensors, streams, index)
            found = Gradients(
                bank=torch.zeros_like(operands.bank) if course.weights(needed, index)[0] else None,
                coef=torch.empty_like(operands.coef),
                shift=None if operands.shift is None else torch.empty_like(operands.shift),
                V=[buffer(i) for i in reading.V],
                E=[buffer(i) for i in reading.E],
            )
            backward(reading.call, operands, ctx.kept[index], grad, found)
            weights[3 * index : 3 * index + 3] = [found.bank, found.coef, found.shift]
        return (None, *flowing[: course.inputs], *weights)
