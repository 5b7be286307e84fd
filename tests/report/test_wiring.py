import random
from itertools import combinations

import pytest

from argnp.arch import Architecture, Link, Vertex, sample, undecided
from argnp.report.wiring import Net, Wiring, wire


def nets(wiring: Wiring, space: str) -> list[tuple[int, Net]]:
    found = []
    for source, track in wiring.tracks[space].items():  # type: ignore[index]
        ends = tuple(p.y for p in wiring.skeleton.pills if p.space == space and p.source == source)
        found.append((track, Net(source, wiring.skeleton.row(source).leave, ends)))
    return found


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_wires_on_one_track_never_meet(size: int) -> None:
    rng = random.Random(size)
    for architecture in [*(sample(size, rng) for _ in range(5)), undecided(size)]:
        wiring = wire(architecture)
        for space in architecture.space.names:
            for (track, one), (other_track, other) in combinations(nets(wiring, space), 2):
                assert track != other_track or not one.meets(other)


def test_every_pill_is_on_the_wire_of_its_source() -> None:
    architecture = sample(8, random.Random(1))
    wiring = wire(architecture)
    for pill in wiring.skeleton.pills:
        assert pill.source in wiring.tracks[pill.space]
        assert wiring.skeleton.row(pill.source).leave < pill.y


def test_a_chain_needs_few_tracks() -> None:
    vertices = tuple(
        Vertex(tuple(Link(source, "V_MEAN") for source in (n - 1, n - 2)),
               tuple(Link(source, "E_SUM") for source in (n - 1, n - 2)))
        for n in range(1, 9)
    )  # fmt: skip
    wiring = wire(Architecture(vertices))
    assert wiring.count("node") == wiring.count("relation") <= 3


def test_many_tracks_are_no_more_than_wires_that_run_side_by_side() -> None:
    wiring = wire(sample(16, random.Random(3)))
    assert wiring.count("node") <= 10
    assert wiring.count("relation") <= 10
