"""Floating-point operations that the mathematics of a vertex needs, however it is computed."""

from collections.abc import Collection, Sequence

from argnp.kernels.core import Term


def forward_flops(
    node_terms: Sequence[Term],
    relation_terms: Sequence[Term],
    *,
    nodes: int,
    relations: int,
    node_dim: int,
    edge_dim: int,
) -> int:
    """Two per multiplication in a matrix product; what is elementwise does not count.

    Node operation: ``2 n 3 v^2 + 2 R (2 e^2 + 2 e v)``; relation operation:
    ``2 R (v e + 4 e^2)``; n nodes, R held relations, widths v and e. A skip needs none.
    """
    n, r, v, e = nodes, relations, node_dim, edge_dim
    node = 2 * n * 3 * v * v + 2 * r * (2 * e * e + 2 * e * v)
    relation = 2 * r * (v * e + 4 * e * e)
    return node * _parametric(node_terms) + relation * _parametric(relation_terms)


def input_gradient_flops(
    node_terms: Sequence[Term],
    relation_terms: Sequence[Term],
    *,
    nodes: int,
    relations: int,
    node_dim: int,
    edge_dim: int,
    wanted_nodes: Collection[int],
    wanted_relations: Collection[int],
) -> int:
    """From the gradients of a vertex to those of the streams that want one, weights frozen.

    ``wanted_nodes`` and ``wanted_relations`` are sources of which V and E want one. Node
    operation: ``2 n v^2`` for either, ``2 n 2 v^2`` more for V, ``2 R (2 e^2 + 2 e v)`` more
    for E. Relation operation: ``2 R e^2`` for either, ``2 R (v e + 3 e^2)`` more for V.
    """
    n, r, v, e = nodes, relations, node_dim, edge_dim
    total = 0
    for term in node_terms:
        to_V, to_E = term.source in wanted_nodes, term.source in wanted_relations
        if term.row >= 0:
            total += 2 * n * v * v * ((to_V or to_E) + 2 * to_V)
            total += 2 * r * (2 * e * e + 2 * e * v) * to_E
    for term in relation_terms:
        to_V, to_E = term.source in wanted_nodes, term.source in wanted_relations
        if term.row >= 0:
            total += 2 * r * (e * e * (to_V or to_E) + (v * e + 3 * e * e) * to_V)
    return total


def gather_flops(rows: int, streams: int, inner: int, outer: int) -> int:
    """Of the Linear that ends a cell: ``2 rows S inner outer``."""
    return 2 * rows * streams * inner * outer


def step_flops(forward: int, *, weights: bool) -> int:
    """Forward, gradients of the inputs, and with ``weights`` gradients of these too."""
    return forward * (3 if weights else 2)


def _parametric(terms: Sequence[Term]) -> int:
    return sum(term.row >= 0 for term in terms)
