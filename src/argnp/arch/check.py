"""Is an architecture sound? Every complaint names the place and the fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from argnp.arch.vocabulary import ZERO

if TYPE_CHECKING:
    from argnp.arch.graph import Architecture, Link
    from argnp.arch.space import SpaceName


def name_of(source: int) -> str:
    """``in0``, ``in1`` or the number of a vertex."""
    return {-1: "in0", 0: "in1"}.get(source, str(source))


def check(architecture: Architecture) -> None:
    """Raise ValueError where the architecture is not a DAG of its space."""
    if not architecture.vertices:
        raise ValueError("vertices: there is none")
    for number, vertex in enumerate(architecture.vertices, start=1):
        if vertex.relation and not architecture.space.relations:
            raise ValueError(f"vertex {number}: relation links in a space without relations")
        for space in architecture.space.names:
            _check_links(architecture, space, number, vertex.links(space))


def _check_links(
    architecture: Architecture, space: SpaceName, number: int, links: tuple[Link, ...]
) -> None:
    wanted = architecture.space.inputs
    if len(links) < wanted:
        raise ValueError(f"vertex {number}: {len(links)} {space} links, {wanted} are needed")
    decided = sum(link.decided for link in links)
    if decided > wanted or (decided == wanted and len(links) > wanted):
        raise ValueError(
            f"vertex {number}: {wanted} {space} links may be kept, {decided} of {len(links)} are"
        )
    seen: set[int] = set()
    for position, link in enumerate(links, start=1):
        place = f"vertex {number}, {space} link {position}"
        if not -1 <= link.source < number:
            raise ValueError(
                f"{place}: source {name_of(link.source)} does not come before {number}"
            )
        if link.source in seen:
            raise ValueError(f"{place}: source {name_of(link.source)} stands twice")
        seen.add(link.source)
        if link.operation is None:
            continue
        legal = architecture.space.operations(space)
        if link.operation not in legal:
            raise ValueError(f"{place}: operation {link.operation!r} is none of {', '.join(legal)}")
        if link.operation == ZERO:
            raise ValueError(
                f"{place}: {ZERO!r} is no decision: a link that is kept does something"
            )
