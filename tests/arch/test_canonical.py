import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.arch import IN0, IN1, Architecture, Link, Space, Vertex, canonical, sample


def relabel(architecture: Architecture, rng: random.Random) -> Architecture:
    """The same architecture with its vertices in another topological order."""
    waiting, order = set(range(1, len(architecture) + 1)), []
    while waiting:
        ready = sorted(
            number
            for number in waiting
            if not any(
                link.source in waiting
                for name in architecture.space.names
                for link in architecture.vertex(number).links(name)
            )
        )
        order.append(rng.choice(ready))
        waiting.remove(order[-1])
    rank = {old: new for new, old in enumerate(order, start=1)}

    def links(number, name):
        moved = [
            Link(rank.get(link.source, link.source), link.operation)
            for link in architecture.vertex(number).links(name)
        ]
        rng.shuffle(moved)
        return tuple(moved)

    return replace(
        architecture,
        vertices=tuple(Vertex(links(n, "node"), links(n, "relation")) for n in order),
    )


@given(seed=st.integers(0, 100_000), size=st.integers(1, 12), cells=st.integers(1, 2))
@settings(deadline=None)
def test_renumbering_changes_nothing(seed, size, cells):
    rng = random.Random(seed)
    architecture = sample(size, rng, Space(cells=cells))
    assert canonical(relabel(architecture, rng)) == canonical(architecture)
    assert canonical(canonical(architecture)) == canonical(architecture)


def test_other_operations_are_another_architecture():
    rng = random.Random(0)
    forms = {canonical(sample(3, rng)) for _ in range(200)}
    assert len(forms) > 190


def _pair(first: int, second: int, cells: int = 1) -> Architecture:
    links = (Link(first, "V_MAX"), Link(second, "V_SUM"))
    return Architecture((Vertex(links),), Space(cells=cells, relations=False))


def test_inputs_are_one_without_cells_and_two_with():
    assert canonical(_pair(IN0, IN1)) == canonical(_pair(IN1, IN0))
    assert canonical(_pair(IN0, IN1, cells=2)) != canonical(_pair(IN1, IN0, cells=2))


def test_consumers_tell_equal_looking_vertices_apart():
    twin = ((IN0, "V_MAX"), (IN1, "V_MAX"))

    def build(third, fourth):
        vertices = (twin, twin, third, fourth)
        return Architecture(
            tuple(Vertex(tuple(Link(s, op) for s, op in links)) for links in vertices),
            Space(relations=False),
        )

    same = build(((1, "V_SUM"), (IN0, "skip")), ((1, "V_STD"), (IN0, "skip")))
    apart = build(((1, "V_SUM"), (IN0, "skip")), ((2, "V_STD"), (IN0, "skip")))
    other = build(((2, "V_SUM"), (IN0, "skip")), ((2, "V_STD"), (IN0, "skip")))
    assert canonical(same) != canonical(apart)
    assert canonical(same) == canonical(other)


def test_many_twins_take_no_time():
    links = (Link(IN0, "V_MAX"), Link(IN1, "V_MAX"))
    architecture = Architecture((Vertex(links),) * 24, Space(relations=False))
    assert canonical(architecture) == architecture


def strands(count: int, length: int, last: str) -> Architecture:
    """Vertices in equal rows side by side; the last one of the last row does something else."""
    vertices = []
    for row in range(count):
        for step in range(length):
            number = row * length + step + 1
            source = number - 1 if step else IN1
            other = row == count - 1 and step == length - 1
            vertices.append(Vertex((Link(source, last if other else "V_SUM"), Link(IN0, "skip"))))
    return Architecture(tuple(vertices), Space(relations=False))


@pytest.mark.parametrize(("count", "length"), [(12, 2), (8, 3), (5, 4)])
@pytest.mark.parametrize("last", ["V_SUM", "V_MAX"])
def test_many_equal_strands_take_no_time(count, length, last):
    architecture = strands(count, length, last)
    form = canonical(architecture)
    for seed in range(3):
        assert canonical(relabel(architecture, random.Random(seed))) == form
    assert form != canonical(strands(count, length, "V_STD"))


def test_crossed_strands_are_another_architecture():
    """Two rings of consumers over the same degrees: 2 + 2 sources shared, or 4 in a circle."""

    def build(pairs):
        sources = [((IN0, "V_MAX"), (IN1, "V_MAX"))] * 4
        readers = [((a, "V_SUM"), (b, "V_SUM")) for a, b in pairs]
        return Architecture(
            tuple(Vertex(tuple(Link(s, op) for s, op in v)) for v in (*sources, *readers)),
            Space(relations=False),
        )

    circle = build([(1, 2), (2, 3), (3, 4), (1, 4)])
    twice = build([(1, 2), (1, 2), (3, 4), (3, 4)])
    crossed = build([(1, 3), (1, 3), (2, 4), (2, 4)])
    assert canonical(circle) != canonical(twice)
    assert canonical(crossed) == canonical(twice)
