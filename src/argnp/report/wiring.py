"""Which track every wire runs in, and in which order pills stand.

All links that leave one source in one space share a wire: it leaves below the source's row, runs
down a track outside the pills and branches into each target pill. Wires on one track never meet.
Tracks and the order of pills are chosen to cross as little as possible, by hill climbing from a
left-edge start: deterministic, and fast at the sizes people draw.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Final

from argnp.arch.graph import Architecture
from argnp.arch.space import SpaceName
from argnp.report.layout import Order, Skeleton, merged_source, skeleton

_APART: Final = 6.0  # between the end of a wire and the start of the next on one track
_PERMUTED: Final = 3  # links of a vertex, up to which every order of its pills is tried
_SWEEPS: Final = 3
_OUTWARD: Final = 0.15  # what a track further out costs, in crossings

Tracks = dict[int, int]
"""Source -> track, 0 the innermost."""


@dataclass(frozen=True, slots=True)
class Net:
    """A wire: from where it leaves its source's row to the lowest pill, with all its pills."""

    source: int
    start: float
    ends: tuple[float, ...]

    @property
    def last(self) -> float:
        return max(self.ends)

    def meets(self, other: "Net") -> bool:
        return self.start < other.last + _APART and other.start < self.last + _APART


@dataclass(frozen=True, slots=True)
class Wiring:
    """A skeleton with a track for every wire of every space."""

    skeleton: Skeleton
    tracks: dict[SpaceName, Tracks]

    def count(self, space: SpaceName) -> int:
        return 1 + max(self.tracks.get(space, {}).values(), default=-1)


def wire(architecture: Architecture) -> Wiring:
    """Lay the wires of an architecture."""
    order: Order = {
        (space, number): tuple(
            sorted(
                range(len(vertex.links(space))),
                key=lambda link: -vertex.links(space)[link].source,
            )
        )
        for number, vertex in enumerate(architecture.vertices, start=1)
        for space in architecture.space.names
    }
    tracks: dict[SpaceName, Tracks] = {}
    for space in architecture.space.names:
        tracks[space] = _assign(_nets(skeleton(architecture, order), space))
        order = _untangle(architecture, order, space, tracks[space])
        tracks[space] = _assign(_nets(skeleton(architecture, order), space))
    return Wiring(skeleton(architecture, order), tracks)


def _nets(frame: Skeleton, space: SpaceName) -> list[Net]:
    ends: dict[int, list[float]] = {}
    for pill in frame.pills:
        if pill.space == space:
            ends.setdefault(pill.source, []).append(pill.y)
    return [Net(source, frame.row(source).leave, tuple(ys)) for source, ys in ends.items()]


def _assign(nets: list[Net]) -> Tracks:
    """Short wires inside, then move or exchange wires while that saves crossings."""
    tracks: Tracks = {}
    for net in sorted(nets, key=lambda net: (net.last - net.start, net.start)):
        track = 0
        while not _free(net, track, nets, tracks):
            track += 1
        tracks[net.source] = track
    for _ in range(_SWEEPS):
        before = dict(tracks)
        for net in nets:
            tracks = _best_move(net, nets, tracks)
        if tracks == before:
            break
    return tracks


def _best_move(net: Net, nets: list[Net], tracks: Tracks) -> Tracks:
    best, least = tracks, _cost(nets, tracks)
    for track in range(max(tracks.values()) + 1):
        moved = dict(tracks)
        moved[net.source] = track
        for other in nets:
            if other is not net and tracks[other.source] == track and net.meets(other):
                moved[other.source] = tracks[net.source]
        cost = _cost(nets, moved)
        if cost < least - 1e-9 and _sound(nets, moved):
            best, least = moved, cost
    return best


def _free(net: Net, track: int, nets: list[Net], tracks: Tracks) -> bool:
    return not any(
        tracks.get(other.source) == track and net.meets(other)
        for other in nets
        if other.source != net.source
    )


def _sound(nets: list[Net], tracks: Tracks) -> bool:
    return all(_free(net, tracks[net.source], nets, tracks) for net in nets)


def _cost(nets: list[Net], tracks: Tracks) -> float:
    """Crossings of every horizontal piece with the tracks further in, and the tracks' sum."""
    crossings = sum(
        inner.start < y < inner.last
        for outer in nets
        for y in (outer.start, *outer.ends)
        for inner in nets
        if tracks[inner.source] < tracks[outer.source]
    )
    return crossings + _OUTWARD * sum(tracks.values())


def _untangle(architecture: Architecture, order: Order, space: SpaceName, tracks: Tracks) -> Order:
    """The order of each vertex's pills that crosses least, given the tracks."""
    for number, vertex in enumerate(architecture.vertices, start=1):
        links = vertex.links(space)
        sources = [merged_source(link.source, architecture.cells) for link in links]
        if len(links) > _PERMUTED:
            by_track = sorted(order[space, number], key=lambda link: tracks[sources[link]])
            order = order | {(space, number): tuple(by_track)}
            continue
        candidates = [
            order | {(space, number): choice} for choice in permutations(order[space, number])
        ]
        order = min(
            candidates, key=lambda one: _cost(_nets(skeleton(architecture, one), space), tracks)
        )
    return order
