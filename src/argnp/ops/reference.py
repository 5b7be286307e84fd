"""The reference path: one operation at a time, in plain torch."""

from collections.abc import Mapping, Sequence
from math import prod

import torch
from torch import Tensor

from argnp.arch.vocabulary import SKIP
from argnp.kernels.core import AffineNorm, Norm, Pair, Step, Term, gather_joined, step_by_step
from argnp.kernels.layout import Layout, node_layout, relation_layout
from argnp.kernels.topology import Segments, Topology
from argnp.ops.catalogue import node_operation, relation_operation
from argnp.ops.ends import norm_act, read_out
from argnp.ops.film import Weights
from argnp.ops.normalise import batchnorm
from argnp.ops.operation import node_output, relation_output


class ReferenceCore:
    """Any device, any dtype, any registered operation; what the fast paths are tested against."""

    name = "reference"

    def nodes(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor] | None,
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        """Node stream of a vertex, (n, d_V)."""
        edge_dim = 0 if E is None else E[0].shape[1]
        layout = node_layout(V[0].shape[1], edge_dim, relations=E is not None)
        rows, total = bank.unbind(0), torch.zeros_like(V[0])
        for term, factor in zip(terms, coef.unbind(0), strict=True):
            value = V[term.source]
            if term.operation != SKIP:
                aggregate = node_operation(term.operation)
                weights = weights_of(rows[term.row], layout)
                guide = None if E is None else E[term.source]
                value = node_output(aggregate, weights, value, guide, topology)
                value = _normalise(value, None, norm, term.row)
            total = torch.addcmul(total, factor, value)
        return total

    def relations(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor],
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        """Relation stream of a vertex, (R, d_E)."""
        layout = relation_layout(V[0].shape[1], E[0].shape[1])
        rows, total = bank.unbind(0), torch.zeros_like(E[0])
        for term, factor in zip(terms, coef.unbind(0), strict=True):
            value = E[term.source]
            if term.operation != SKIP:
                function = relation_operation(term.operation)
                weights = weights_of(rows[term.row], layout)
                value = relation_output(function, weights, V[term.source], value, topology)
                value = _normalise(value, topology.multiplicity, norm, term.row)
            total = torch.addcmul(total, factor, value)
        return total

    def cell(
        self, steps: Sequence[Step], streams: Mapping[int, Pair], topology: Topology
    ) -> dict[int, Pair]:
        """All streams of a cell."""
        return step_by_step(self, steps, streams, topology)

    def gather(self, streams: Sequence[Tensor], weight: Tensor) -> Tensor:
        """The Linear that ends a cell."""
        return gather_joined(streams, weight)

    def norm_act(self, x: Tensor, weight: Tensor | None, norm: AffineNorm) -> Tensor:
        """The end of a layer."""
        return norm_act(x, weight, norm)

    def read_out(self, rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
        """One row per graph."""
        return read_out(rows, segments, mean=mean)


def weights_of(row: Tensor, layout: Layout) -> Weights:
    """Weights by name in one bank row.

    One split, not a view for each weight: the gradient of a row is then put together once.
    """
    parts = torch.split_with_sizes(row, [prod(shape) for _, shape in layout.shapes])
    return {
        name: part.view(shape) for part, (name, shape) in zip(parts, layout.shapes, strict=True)
    }


def _normalise(y: Tensor, weight: Tensor | None, norm: Norm, row: int) -> Tensor:
    return batchnorm(y, weight, norm.mean[row], norm.var[row], norm.training)
