"""From an architecture to the terms that a core sums up, vertex by vertex."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from argnp.arch import SKIP, ZERO, Architecture
from argnp.arch.space import SpaceName
from argnp.kernels.core import Term

Row = tuple[int, str]  # source of the link, operation
ALWAYS: Final = -1  # position of the coefficient 1 behind all mixture weights


@dataclass(frozen=True, slots=True)
class Plan:
    """One vertex in one space: which streams it reads and what it sums up.

    ``sources`` are numbers of vertices (or inputs), ``terms`` point into them, and
    ``weights[t]`` says which entry of the flattened mixture weights scales term t.
    """

    sources: tuple[int, ...]
    terms: tuple[Term, ...]
    weights: tuple[int, ...]


def bank_rows(architecture: Architecture, space: SpaceName, vertex: int) -> dict[Row, int]:
    """A row of the bank for every operation with weights that the vertex may use.

    A row stays an operation's own while the architecture is decided link by link.
    """
    rows: dict[Row, int] = {}
    for link in architecture.vertex(vertex).links(space):
        candidates = (
            architecture.space.operations(space) if link.operation is None else (link.operation,)
        )
        for operation in candidates:
            if operation not in (SKIP, ZERO):
                rows[link.source, operation] = len(rows)
    return rows


def mixture_index(architecture: Architecture, space: SpaceName) -> dict[tuple[int, int], int]:
    """(vertex, source) of every mixture link, numbered in order: its row among the alphas."""
    return {
        (place.vertex, link.source): number
        for number, (place, link) in enumerate(
            (place, link) for place, link in architecture.places(space) if not link.decided
        )
    }


def plan(
    architecture: Architecture,
    space: SpaceName,
    vertex: int,
    rows: Mapping[Row, int],
    mixtures: Mapping[tuple[int, int], int],
) -> Plan:
    """Terms of a vertex as the architecture stands now; ``zero`` contributes none."""
    links = architecture.vertex(vertex).links(space)
    sources = tuple(dict.fromkeys(link.source for link in links))
    candidates = architecture.space.operations(space)
    terms: list[Term] = []
    weights: list[int] = []
    for link in links:
        chosen = candidates if link.operation is None else (link.operation,)
        for operation in chosen:
            if operation == ZERO:
                continue
            row = -1 if operation == SKIP else rows[link.source, operation]
            terms.append(Term(operation, sources.index(link.source), row))
            weights.append(
                mixtures[vertex, link.source] * len(candidates) + candidates.index(operation)
                if link.operation is None
                else ALWAYS
            )
    return Plan(sources, tuple(terms), tuple(weights))


def alive(
    plans: Mapping[tuple[SpaceName, int], Plan], outputs: Collection[SpaceName]
) -> frozenset[tuple[SpaceName, int]]:
    """The streams that reach an output; all streams of an output's space do, through its Linear.

    A vertex reads both streams of its sources. So only what hangs at the end of the network is
    ever dead: the last relations of a node task, the last nodes of an edge task.
    """
    living: set[tuple[SpaceName, int]] = {key for key in plans if key[0] in outputs}
    spaces: set[SpaceName] = {space for space, _ in plans}
    for vertex in range(max(number for _, number in plans), 0, -1):
        for space in spaces:
            if (space, vertex) not in living:
                continue
            for source in plans[space, vertex].sources:
                living.update((name, source) for name in spaces if (name, source) in plans)
    return frozenset(living)
