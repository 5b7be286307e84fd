"""A vertex in one space as a single differentiable function with a backward of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

import torch
from torch import Tensor

from argnp.kernels.batched_linear import Weights
from argnp.kernels.batched_norm import (
    Rows,
    coefficient_grad,
    normalise_,
    normalise_grad,
    through_batch,
)
from argnp.kernels.batched_routes import Routes, routes_of
from argnp.kernels.core import Norm
from argnp.kernels.layout import Layout
from argnp.kernels.topology import Topology

Stream = TypeVar("Stream", Tensor, Tensor | None)

CACHED: Final = 2**22  # bytes of messages that a CPU keeps in its caches and need not map anew


class Tile(Protocol):
    """Operations that read the same source and share their arithmetic."""

    def layout(self, V: Tensor, E: Tensor | None) -> Layout:
        """Of the bank rows."""
        ...

    def forward(
        self, V: Tensor, E: Tensor | None, weights: Weights, routes: Routes, out: Tensor
    ) -> tuple[Tensor, ...]:
        """Writes the output (rows, k, d) before BatchNorm; gives what backward needs."""
        ...

    def backward(
        self,
        dy: Tensor,
        V: Tensor,
        E: Tensor | None,
        weights: Weights,
        saved: Sequence[Tensor],
        routes: Routes,
        into: Weights | None,
        need_V: bool,
        need_E: bool,
    ) -> tuple[Tensor | None, Tensor | None]:
        """Gradients of V and E; those of the weights are written ``into`` their place."""
        ...


@dataclass(frozen=True)
class Placed:
    """A tile, its source, and the places of its operations."""

    tile: Tile
    source: int
    terms: Tensor  # (k,) int64 places in the coefficients
    rows: Tensor  # (k,) int64 rows of the bank and of the running statistics


@dataclass(frozen=True)
class Setting:
    """What a vertex is computed on, beside the tensors that gradients flow to."""

    tiles: Sequence[Placed]
    topology: Topology
    norm: Norm
    rows: Rows
    of_nodes: bool
    sources: int
    keep: bool  # a backward pass will follow

    def parts(self, placed: Placed, V: Tensor) -> Iterator[tuple[Routes, slice]]:
        """Graphs that are computed at a time, and the rows of the stream that they own.

        Until BatchNorm graphs do not meet, so a CPU takes as few at a time as leave messages in
        its caches.
        """
        messages = self.topology.num_nodes + 2 * self.topology.num_relations
        size = messages * placed.rows.shape[0] * V.shape[1] * V.element_size()
        parts = 1 if V.device.type != "cpu" else 2 ** (size // CACHED).bit_length()
        for routes in routes_of(self.topology, parts):
            yield routes, routes.nodes if self.of_nodes else routes.relations


class Vertex(torch.autograd.Function):
    """``sum over operations of coef * norm(operation)``: (rows, d).

    Arguments: the setting, bank, coef, and the streams V_0 .. V_S-1 [, E_0 .. E_S-1].
    """

    @staticmethod
    def forward(ctx: Any, setting: Setting, bank: Tensor, coef: Tensor, *streams: Tensor) -> Tensor:
        stream = streams[0] if setting.of_nodes else streams[setting.sources]
        total = torch.zeros_like(stream)
        kept: list[Tensor] = []
        spans: list[int] = []
        for placed in setting.tiles:
            V, E = _pair(setting, streams, placed)
            weights = placed.tile.layout(V, E).views(bank.index_select(0, placed.rows))
            y = V.new_empty(stream.shape[0], placed.rows.shape[0], stream.shape[1])
            first = len(kept)
            for routes, rows in setting.parts(placed, V):
                V_part, E_part = _part(V, E, routes)
                saved = placed.tile.forward(V_part, E_part, weights, routes, y[rows])
                if setting.keep:
                    kept += saved
                    spans.append(len(saved))
            scale = normalise_(y, setting.rows, setting.norm, placed.rows)
            total += (y * coef[placed.terms]).sum(1)
            if setting.keep:
                kept[first:first] = (y, scale)
        if setting.keep:
            ctx.setting, ctx.spans = setting, spans
            ctx.save_for_backward(bank, coef, *streams, *kept)
        return total

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        setting: Setting = ctx.setting
        _, need_bank, _, *need = ctx.needs_input_grad
        bank, coef, *rest = ctx.saved_tensors
        streams, kept, spans = rest[: len(need)], iter(rest[len(need) :]), iter(ctx.spans)
        dbank = torch.zeros_like(bank) if need_bank else None
        dcoef = torch.zeros_like(coef)
        dstreams = [
            torch.zeros_like(stream) if needed else None
            for stream, needed in zip(streams, need, strict=True)
        ]
        grad = grad.contiguous()
        by_batch = setting.rows.by_batch(setting.norm)
        centred = through_batch(grad, setting.rows) if by_batch else grad
        for placed in setting.tiles:
            V, E = _pair(setting, streams, placed)
            dV, dE = _pair(setting, dstreams, placed)
            x, scale = next(kept), next(kept)
            mine = coefficient_grad(grad, x)
            dcoef[placed.terms] = mine
            layout = placed.tile.layout(V, E)
            weight = bank.index_select(0, placed.rows)
            through_var = mine / setting.rows.count if by_batch else torch.zeros_like(mine)
            factor = scale * coef[placed.terms]
            for routes, rows in setting.parts(placed, V):
                saved = [next(kept) for _ in range(next(spans))]
                if dbank is None and dV is None and dE is None:
                    continue
                V_part, E_part = _part(V, E, routes)
                share = None if setting.rows.weight is None else setting.rows.weight[rows]
                dy = normalise_grad(centred[rows], x[rows], factor, through_var, share)
                dweight = None if dbank is None else torch.empty_like(weight)
                dV_part, dE_part = placed.tile.backward(
                    dy,
                    V_part,
                    E_part,
                    layout.views(weight),
                    saved,
                    routes,
                    None if dweight is None else layout.views(dweight),
                    dV is not None,
                    dE is not None,
                )
                if dbank is not None and dweight is not None:
                    dbank.index_add_(0, placed.rows, dweight)
                if dV is not None and dV_part is not None:
                    dV[routes.nodes] += dV_part
                if dE is not None and dE_part is not None:
                    dE[routes.relations] += dE_part
        return None, dbank, dcoef, *dstreams


def _part(V: Tensor, E: Tensor | None, routes: Routes) -> tuple[Tensor, Tensor | None]:
    return V[routes.nodes], None if E is None else E[routes.relations]


def _pair(
    setting: Setting, streams: Sequence[Stream], placed: Placed
) -> tuple[Stream, Stream | None]:
    """What belongs to the nodes and to the relations of a tile's source."""
    at = placed.source + setting.sources
    return streams[placed.source], streams[at] if at < len(streams) else None
