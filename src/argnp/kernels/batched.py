"""The batched path: many operations in each torch call, on any device, in any float dtype."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import torch
from torch import Tensor

from argnp.arch.vocabulary import SKIP
from argnp.kernels.batched_aggregate import LARGEST, MOMENTS
from argnp.kernels.batched_ends import batched_norm_act, batched_read_out
from argnp.kernels.batched_nodes import NODE_TILES, NodeTile
from argnp.kernels.batched_norm import Rows
from argnp.kernels.batched_relations import FUNCTIONS, RELATION_TILES, RelationTile
from argnp.kernels.batched_vertex import Placed, Setting, Tile, Vertex
from argnp.kernels.core import AffineNorm, Norm, Pair, Step, Term, gather_joined, step_by_step
from argnp.kernels.topology import Segments, Topology

_SUPPORTED = frozenset({*MOMENTS, *LARGEST, *FUNCTIONS, SKIP})


def supports(operation: str) -> bool:
    """Whether this path computes ``operation``; it knows those of the paper."""
    return operation in _SUPPORTED


class BatchedCore:
    """All operations of a vertex that read the same source are computed together."""

    name = "torch"

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
        setting = Setting(
            tiles=_node_tiles(tuple(terms), bank.device),
            topology=topology,
            norm=norm,
            rows=Rows(topology.num_nodes, None),
            of_nodes=True,
            sources=len(V),
            keep=torch.is_grad_enabled(),
        )
        value: Tensor = Vertex.apply(setting, bank, coef, *V, *(E or ()))  # type: ignore[no-untyped-call]
        return _with_skips(value, terms, coef, V)

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
        setting = Setting(
            tiles=_relation_tiles(tuple(terms), bank.device),
            topology=topology,
            norm=norm,
            rows=Rows(topology.num_edges, topology.multiplicity),
            of_nodes=False,
            sources=len(V),
            keep=torch.is_grad_enabled(),
        )
        value: Tensor = Vertex.apply(setting, bank, coef, *V, *E)  # type: ignore[no-untyped-call]
        return _with_skips(value, terms, coef, E)

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
        return batched_norm_act(x, weight, norm)

    def read_out(self, rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
        """One row per graph."""
        return batched_read_out(rows, segments, mean=mean)


def _with_skips(
    value: Tensor, terms: Sequence[Term], coef: Tensor, streams: Sequence[Tensor]
) -> Tensor:
    for position, term in enumerate(terms):
        if term.operation == SKIP:
            value = torch.addcmul(value, coef[position], streams[term.source])
    return value


@lru_cache(maxsize=1024)
def _node_tiles(terms: tuple[Term, ...], device: torch.device) -> list[Placed]:
    return _tiles(terms, device, NODE_TILES, NodeTile)


@lru_cache(maxsize=1024)
def _relation_tiles(terms: tuple[Term, ...], device: torch.device) -> list[Placed]:
    return _tiles(terms, device, RELATION_TILES, RelationTile)


def _tiles(
    terms: tuple[Term, ...],
    device: torch.device,
    families: Sequence[Sequence[str]],
    make: Callable[[list[str]], Tile],
) -> list[Placed]:
    """Terms by source and family, those of a family in the order that it lists them."""
    tiles = []
    for source in sorted({term.source for term in terms}):
        for family in families:
            places = [
                place
                for place, term in enumerate(terms)
                if term.source == source and term.operation in family
            ]
            places.sort(key=lambda place: family.index(terms[place].operation))
            if places:
                tiles.append(
                    Placed(
                        tile=make([terms[place].operation for place in places]),
                        source=source,
                        terms=torch.tensor(places, device=device),
                        rows=torch.tensor([terms[place].row for place in places], device=device),
                    )
                )
    return tiles
