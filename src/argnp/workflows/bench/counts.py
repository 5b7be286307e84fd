"""What a step needs: operations of its mathematics, and bytes that the fused kernels move."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from argnp.arch import Architecture
from argnp.arch.space import SpaceName
from argnp.kernels.core import Term
from argnp.kernels.flops import forward_flops, gather_flops, input_gradient_flops, step_flops
from argnp.kernels.traffic import cell_bytes_moved
from argnp.nets.compile import ALWAYS, Plan, alive, bank_rows, mixture_index, plan
from argnp.nets.network import read_by_head
from argnp.nets.widths import Widths
from argnp.workflows.bench.workload import Bench

Stream = tuple[SpaceName, int]


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
    outputs = read_by_head(bench.dataset.schema, architecture.space.relations)
    forward, inward = arithmetic(architecture, bench.widths, outputs, nodes, relations)
    flops = step_flops(forward, weights=True) + (forward + inward if search else 0)
    moved = cell_bytes_moved(
        (_by_space(key, planned) for key, planned in _living(architecture, outputs).items()),
        nodes=nodes,
        relations=relations,
        node_dim=bench.widths.node,
        edge_dim=bench.widths.edge,
        quantum=quantum,
    )
    return Counts(flops, (2 if search else 1) * moved)


def arithmetic(
    architecture: Architecture,
    widths: Widths,
    outputs: Collection[SpaceName],
    nodes: int,
    relations: int,
) -> tuple[int, int]:
    """Operations of a cell: forward, and from there to the mixtures alone.

    Streams that no head reads are not computed. A step of the alphas needs only the gradients
    of streams that depend on a mixture: weights and encoder are frozen.
    """
    living = _living(architecture, outputs)
    open_ones = _open(living)
    forward = inward = 0
    for key, planned in living.items():
        node_terms, relation_terms = _by_space(key, planned)
        held = relations if architecture.space.relations else 0
        forward += forward_flops(
            node_terms,
            relation_terms,
            nodes=nodes,
            relations=held,
            node_dim=widths.node,
            edge_dim=widths.edge,
        )
        inward += input_gradient_flops(
            node_terms,
            relation_terms,
            nodes=nodes,
            relations=held,
            node_dim=widths.node,
            edge_dim=widths.edge,
            wanted_nodes=_positions(planned, "node", open_ones),
            wanted_relations=_positions(planned, "relation", open_ones),
        )
    for space in outputs:
        rows, inner, outer = nodes, widths.node, widths.node_out
        if space == "relation":
            rows, inner, outer = relations, widths.edge, widths.edge_out
        forward += gather_flops(rows, len(architecture) + 1, inner, outer)
        inward += gather_flops(rows, sum(name == space for name, _ in open_ones), inner, outer)
    return forward, inward


def _living(architecture: Architecture, outputs: Collection[SpaceName]) -> dict[Stream, Plan]:
    plans = _plans(architecture)
    living = alive(plans, outputs)
    return {key: planned for key, planned in plans.items() if key in living}


def _by_space(key: Stream, planned: Plan) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """(node terms, relation terms) of one stream."""
    return (planned.terms, ()) if key[0] == "node" else ((), planned.terms)


def _plans(architecture: Architecture) -> dict[Stream, Plan]:
    return {
        (name, vertex): plan(
            architecture,
            name,
            vertex,
            bank_rows(architecture, name, vertex),
            mixture_index(architecture, name),
        )
        for vertex in range(1, len(architecture) + 1)
        for name in architecture.space.names
    }


def _open(plans: Mapping[Stream, Plan]) -> set[Stream]:
    """The streams that depend on a mixture: their own, or one of a source's."""
    found: set[Stream] = set()
    for key, planned in plans.items():
        mixed = any(weight != ALWAYS for weight in planned.weights)
        sources = {(space, s) for space, _ in plans for s in planned.sources}
        if mixed or sources & found:
            found.add(key)
    return found


def _positions(planned: Plan, space: SpaceName, streams: set[Stream]) -> set[int]:
    """Which of a vertex's sources are among the streams of a space, by position."""
    return {i for i, source in enumerate(planned.sources) if (space, source) in streams}
