"""Bytes that a step of the fused kernels moves to and from memory: what is kept for backward.

Everything else that a tile touches stays in cache. Streams and weights are small beside it.
"""

from collections.abc import Iterable, Sequence

from argnp.kernels.core import Term
from argnp.kernels.fused_vertex import KEEPS_EXTRA, ROOM

_BYTES = 4
# Of a node operation: y and aggregate are written; y is read by the sum of the terms, and backward
# reads y twice and the aggregate. Two hidden layers are written and read, where they are kept.
_OF_NODES = 2 + 1 + 3
_OF_HIDDEN = 2 + 2
# Of a relation operation: y is written, read by the sum, and read twice on the way back.
_OF_RELATIONS = 1 + 1 + 2


def step_bytes_moved(
    node_terms: Sequence[Term],
    relation_terms: Sequence[Term],
    *,
    nodes: int,
    relations: int,
    node_dim: int,
    edge_dim: int,
    quantum: int,
    hidden: bool = True,
) -> int:
    """Of forward and backward, rows padded to ``quantum`` numbers.

    ``4 (10 n v S_V + 4 R e S_E)`` with S terms that have weights; n nodes, R held relations,
    padded widths v and e; 6 for 10 without ``hidden``: there was no room to keep the node MLPs.
    """
    wide_v, wide_e = (-(-width // quantum) * quantum for width in (node_dim, edge_dim))
    of_node = _OF_NODES + (_OF_HIDDEN if hidden else 0)
    of_nodes = of_node * nodes * wide_v * sum(term.row >= 0 for term in node_terms)
    of_relations = _OF_RELATIONS * relations * wide_e * sum(t.row >= 0 for t in relation_terms)
    return _BYTES * (of_nodes + of_relations)


def cell_bytes_moved(
    streams: Iterable[tuple[Sequence[Term], Sequence[Term]]],
    *,
    nodes: int,
    relations: int,
    node_dim: int,
    edge_dim: int,
    quantum: int,
    room: int = ROOM,
) -> int:
    """Of all streams of a cell, each (node terms, relation terms), in the order of computation.

    The node MLPs are kept as long as all that is kept stays within ``room`` numbers.
    """
    wide_v, wide_e = (-(-width // quantum) * quantum for width in (node_dim, edge_dim))
    moved = kept = 0
    for node_terms, relation_terms in streams:
        of_node, of_relation = (
            sum(term.row >= 0 for term in terms) for terms in (node_terms, relation_terms)
        )
        extras = sum(term.operation in KEEPS_EXTRA for term in node_terms)
        kept += (2 * of_node + extras) * nodes * wide_v + of_relation * relations * wide_e
        hidden = 2 * of_node * nodes * wide_v
        fits = kept + hidden <= room
        kept += hidden if fits else 0
        moved += step_bytes_moved(
            node_terms,
            relation_terms,
            nodes=nodes,
            relations=relations,
            node_dim=node_dim,
            edge_dim=edge_dim,
            quantum=quantum,
            hidden=fits,
        )
    return moved
