"""The fused core: a vertex in one call of compiled code, on the CPU in float32.

Between forward and backward it keeps the values before BatchNorm and the aggregates, and the node
MLPs while there is room; messages and films are computed again, tile by tile, while they are in
cache.
"""

from collections.abc import Mapping, Sequence

from torch import Tensor

from argnp.arch.space import SpaceName
from argnp.arch.vocabulary import SKIP
from argnp.kernels import fused_abi as abi
from argnp.kernels.build import BuildError
from argnp.kernels.core import AffineNorm, Norm, Pair, Step, Term
from argnp.kernels.fused_cell import fused_cell
from argnp.kernels.fused_ends import fused_norm_act, fused_read_out
from argnp.kernels.fused_gather import fused_gather
from argnp.kernels.fused_vertex import CODES
from argnp.kernels.topology import Segments, Topology


def supports(operation: str) -> bool:
    """Whether the compiled kernels know an operation."""
    return operation == SKIP or any(operation in known for known in CODES.values())


def unavailable() -> str | None:
    """Why the compiled kernels cannot be used on this machine; None where they can."""
    try:
        abi.library()
    except BuildError as error:
        return str(error)
    return None


class FusedCore:
    """Implements ``argnp.kernels.core.Core``."""

    name = "fused"

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
        streams = [Pair(v, None if E is None else E[i]) for i, v in enumerate(V)]
        out = _vertex("node", terms, bank, coef, streams, topology, norm).V
        assert out is not None
        return out

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
        streams = [Pair(v, e) for v, e in zip(V, E, strict=True)]
        out = _vertex("relation", terms, bank, coef, streams, topology, norm).E
        assert out is not None
        return out

    def cell(
        self, steps: Sequence[Step], streams: Mapping[int, Pair], topology: Topology
    ) -> dict[int, Pair]:
        """All streams of a cell."""
        return fused_cell(steps, streams, topology)

    def gather(self, streams: Sequence[Tensor], weight: Tensor) -> Tensor:
        """The Linear that ends a cell."""
        return fused_gather(streams, weight)

    def norm_act(self, x: Tensor, weight: Tensor | None, norm: AffineNorm) -> Tensor:
        """The end of a layer."""
        return fused_norm_act(x, weight, norm)

    def read_out(self, rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
        """One row per graph."""
        return fused_read_out(rows, segments, mean=mean)


def _vertex(
    space: SpaceName,
    terms: Sequence[Term],
    bank: Tensor,
    coef: Tensor,
    streams: Sequence[Pair],
    topology: Topology,
    norm: Norm,
) -> Pair:
    """A cell of one vertex in one space."""
    sources, last = tuple(range(len(streams))), len(streams)
    step = Step(space, last, sources, tuple(terms), bank, coef, None, norm)
    return fused_cell([step], dict(enumerate(streams)), topology)[last]
