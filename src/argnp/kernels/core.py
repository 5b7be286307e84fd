"""What a computation path has to offer: the value of a vertex in one space, and of a whole cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu, linear

from argnp.arch.space import SpaceName
from argnp.kernels.topology import Segments, Topology

SLOPE: Final = 0.2  # of LeakyReLU
EPS: Final = 1e-5  # of STD, GEM and BatchNorm
MOMENTUM: Final = 0.1  # of running statistics


class Term(NamedTuple):
    """One summand of a vertex: an operation applied to a source.

    ``source`` is a position in the streams handed to the core. ``row`` is the operation's row
    in the bank and in the running statistics; -1 for ``skip``, which has neither.

    A tuple, because what is known of a vertex's terms is looked up by them in every step.
    """

    operation: str
    source: int
    row: int


@dataclass(frozen=True, slots=True)
class Norm:
    """BatchNorm state of a bank: one row per operation; affine parts live in the coefficients.

    In training, batch statistics normalise and the running ones are updated in place; with
    fewer than two rows to normalise, and in evaluation, the running ones normalise. A relation
    counts as often as its multiplicity; the running variance is unbiased.
    """

    mean: Tensor  # (K, d)
    var: Tensor  # (K, d)
    training: bool


@dataclass(frozen=True, slots=True)
class AffineNorm:
    """A BatchNorm with its affine part, all (d,). Statistics behave as those of `Norm`."""

    scale: Tensor
    shift: Tensor
    mean: Tensor
    var: Tensor
    training: bool


class Pair(NamedTuple):
    """(V_i, E_i); None where relations are off, or where nothing reads the stream."""

    V: Tensor | None
    E: Tensor | None


@dataclass(frozen=True, slots=True)
class Step:
    """One stream of a cell: the sum of a vertex's terms over its sources, and ``shift`` (d,).

    ``sources`` are numbers of vertices (or inputs) that came before; ``terms`` point into them.
    """

    space: SpaceName
    vertex: int
    sources: tuple[int, ...]
    terms: tuple[Term, ...]
    bank: Tensor
    coef: Tensor
    shift: Tensor | None
    norm: Norm


class Core(Protocol):
    """Computes ``sum over terms of coef[term] * x``, ``coef`` of shape (terms, d).

    ``x`` is ``norm(y)`` of the operation's output ``y`` for a term with a bank row, and the
    source itself for ``skip``. Gradients flow to bank, coef and streams, each only if required.
    """

    name: str

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
        """Node stream of a vertex, (n, d_V). ``E`` is None where relations are off."""
        ...

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
        ...

    def cell(
        self, steps: Sequence[Step], streams: Mapping[int, Pair], topology: Topology
    ) -> dict[int, Pair]:
        """``streams`` by number of their vertex, and with them those of the steps, in order."""
        ...

    def gather(self, streams: Sequence[Tensor], weight: Tensor) -> Tensor:
        """``act([X_1 | .. | X_S]) W^T`` of streams (rows, d), ``weight`` (outputs, S d)."""
        ...

    def norm_act(self, x: Tensor, weight: Tensor | None, norm: AffineNorm) -> Tensor:
        """``act(scale * (x - mean) / sqrt(var + eps) + shift)`` per column of ``x`` (rows, d).

        A row counts as often as ``weight`` (rows,) says; once where it is None.
        """
        ...

    def read_out(self, rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
        """(G, 2 d) from (R, d): ``[sum or mean | max]`` over the rows of each graph.

        The mean divides by the weights' sum, at least 1; a graph without rows gets 0.
        """
        ...


def gather_joined(streams: Sequence[Tensor], weight: Tensor) -> Tensor:
    """`Core.gather`, with the streams laid side by side."""
    return linear(leaky_relu(torch.cat(list(streams), 1), SLOPE), weight)


def step_by_step(
    core: Core, steps: Sequence[Step], streams: Mapping[int, Pair], topology: Topology
) -> dict[int, Pair]:
    """A cell, one stream at a time."""
    found = dict(streams)
    for step in steps:
        sources = [found[source] for source in step.sources]
        V = [pair.V for pair in sources if pair.V is not None]
        E = [pair.E for pair in sources if pair.E is not None]
        if step.space == "node":
            out = core.nodes(step.terms, step.bank, step.coef, V, E or None, topology, step.norm)
        else:
            out = core.relations(step.terms, step.bank, step.coef, V, E, topology, step.norm)
        put(found, step, out if step.shift is None else out + step.shift)
    return found


def put(streams: dict[int, Pair], step: Step, out: Tensor) -> None:
    """Set the stream that a step computes; its twin of the other space stays."""
    V, E = streams.get(step.vertex, Pair(None, None))
    streams[step.vertex] = Pair(out, E) if step.space == "node" else Pair(V, out)
