"""A round of the search, step by step: which links were open, what the alphas said, what fell.

The journal numbers a link by its place among its vertex's links at that moment, and places shift
when links are pruned. Sources do not: a link is told by space, vertex and source.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from argnp.arch.graph import IN0, IN1, Architecture, Link
from argnp.arch.space import SpaceName
from argnp.report.record import Round

_INPUTS: Final = {"in0": IN0, "in1": IN1}


class Track(NamedTuple):
    """A link of the round's first architecture."""

    space: SpaceName
    vertex: int
    source: int


@dataclass(frozen=True)
class Taken:
    """A decision: the operation of a link, and what put it before the others."""

    track: Track
    operation: str
    score: float | None


@dataclass
class Step:
    """Everything that was decided at one epoch.

    ``alphas``: probabilities of the candidates of every link that was open just before, in the
    order of the space's operations; empty where nothing was learned.
    """

    epoch: int
    taken: list[Taken] = field(default_factory=list)
    alphas: Mapping[Track, list[float]] = field(default_factory=dict)


def replay(entry: Round) -> list[Step]:
    """The steps of a round, in order; none while nothing was decided."""
    if entry.start is None:
        return []
    steps: dict[int, Step] = {}
    current = entry.start
    tables = sorted(entry.epochs, key=lambda event: int(event["epoch"]))
    for event in sorted(entry.decisions, key=lambda event: int(event["epoch"])):
        epoch = int(event["epoch"])
        if epoch not in steps:
            behind = [table for table in tables if int(table["epoch"]) < epoch] or tables[:1]
            alphas = _by_track(current, behind[-1]["alphas"]) if behind else {}
            steps[epoch] = Step(epoch, alphas=alphas)
        space: SpaceName = "relation" if event["space"] == "relation" else "node"
        track = Track(space, int(event["vertex"]), _source(event["source"]))
        steps[epoch].taken.append(Taken(track, str(event["operation"]), event["score"]))
        current = _decide(current, track, str(event["operation"]))
    return [steps[epoch] for epoch in sorted(steps)]


def pruned_by(architecture: Architecture, decided: set[Track]) -> set[Track]:
    """Links that fall away because their vertex has all it needs."""
    gone = set()
    for number, vertex in enumerate(architecture.vertices, start=1):
        for space in architecture.space.names:
            tracks = {Track(space, number, link.source): link for link in vertex.links(space)}
            kept = {t for t, link in tracks.items() if link.decided or t in decided}
            if len(kept) >= architecture.space.inputs:
                gone |= set(tracks) - kept
    return gone


def _source(value: Any) -> int:
    return _INPUTS[value] if isinstance(value, str) else int(value)


def _by_track(architecture: Architecture, alphas: Mapping[str, Any]) -> dict[Track, list[float]]:
    found = {}
    for space in architecture.space.names:
        for vertex, link, probabilities in alphas.get(space, ()):
            links = architecture.vertex(vertex).links(space)
            if link < len(links) and not links[link].decided:
                found[Track(space, vertex, links[link].source)] = probabilities
    return found


def _decide(architecture: Architecture, track: Track, operation: str) -> Architecture:
    links = [
        Link(link.source, operation) if link.source == track.source else link
        for link in architecture.vertex(track.vertex).links(track.space)
    ]
    if sum(link.decided for link in links) == architecture.space.inputs:
        links = [link for link in links if link.decided]
    return architecture.with_links(track.space, track.vertex, tuple(links))
