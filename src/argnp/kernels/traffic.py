"""Bytes that a step of the fused kernels moves to and from memory: what is kept for backward.

Everything else that a tile touches stays in cache. Streams and weights are small beside it.
"""

from collections.abc import Sequence

from argnp.kernels.core import Term

_BYTES = 4
# Of a node operation: y, aggregate and two hidden layers are written; y is read by the sum of the
# terms, and backward reads y twice, the aggregate and the hidden layers.
_OF_NODES = 4 + 1 + 5
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
) -> int:
    """Of forward and backward, rows padded to ``quantum`` numbers.

    ``4 (10 n v S_V + 4 R e S_E)`` with S terms that have weights; n nodes, R held relations,
    padded widths v and e.
    """
    wide_v, wide_e = (-(-width // quantum) * quantum for width in (node_dim, edge_dim))
    of_nodes = _OF_NODES * nodes * wide_v * sum(term.row >= 0 for term in node_terms)
    of_relations = _OF_RELATIONS * relations * wide_e * sum(t.row >= 0 for t in relation_terms)
    return _BYTES * (of_nodes + of_relations)
