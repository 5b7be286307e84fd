"""What a step needs: operations of its mathematics, and bytes that the fused kernels move."""

from dataclasses import dataclass

from argnp.arch import Architecture
from argnp.kernels.core import Term
from argnp.kernels.flops import forward_flops, gather_flops, step_flops
from argnp.kernels.traffic import step_bytes_moved
from argnp.nets.compile import bank_rows, mixture_index, plan
from argnp.workflows.bench.workload import Bench


@dataclass(frozen=True)
class Counts:
    """Of one step on an average batch."""

    flops: int
    bytes: int


def count(architecture: Architecture, bench: Bench, *, search: bool, quantum: int = 8) -> Counts:
    """A step of the search is one of the alphas and one of the weights."""
    nodes, relations = (
        round(sizes.mean() * bench.batch_size) for sizes in bench.dataset.source.sizes()
    )
    widths, terms = bench.widths, _terms(architecture)
    node_terms, relation_terms = terms["node"], terms["relation"]
    forward = forward_flops(
        node_terms,
        relation_terms,
        nodes=nodes,
        relations=relations,
        node_dim=widths.node,
        edge_dim=widths.edge,
    )
    streams = len(architecture) + 1
    forward += gather_flops(nodes, streams, widths.node, widths.node_out)
    forward += gather_flops(relations, streams, widths.edge, widths.edge_out)
    alphas = step_flops(forward, weights=False) if search else 0
    moved = step_bytes_moved(
        node_terms,
        relation_terms,
        nodes=nodes,
        relations=relations,
        node_dim=widths.node,
        edge_dim=widths.edge,
        quantum=quantum,
    )
    return Counts(alphas + step_flops(forward, weights=True), (2 if search else 1) * moved)


def _terms(architecture: Architecture) -> dict[str, list[Term]]:
    """All terms of all vertices, by space."""
    return {
        name: [
            term
            for vertex in range(1, len(architecture) + 1)
            for term in plan(
                architecture,
                name,
                vertex,
                bank_rows(architecture, name, vertex),
                mixture_index(architecture, name),
            ).terms
        ]
        for name in architecture.space.names
    }
