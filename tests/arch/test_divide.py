import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argnp.arch import IN0, IN1, Architecture, Link, Space, Vertex, divide, sample, undecided
from argnp.arch.divide import growth
from argnp.arch.sample import complete

NODE_ONLY = Space(relations=False)


def node_architecture(*vertices: list[tuple[int, str]]) -> Architecture:
    """An architecture of the node space alone."""
    return Architecture(
        tuple(Vertex(tuple(Link(s, op) for s, op in links)) for links in vertices), NODE_ONLY
    )


def sources(architecture: Architecture, space: str = "node") -> list[list[int]]:
    return [[link.source for link in vertex.links(space)] for vertex in architecture.vertices]


def test_one_vertex_becomes_two():
    one = node_architecture([(IN0, "V_MAX"), (IN1, "V_SUM")])
    two = divide(one)
    assert two.vertices[0].node == (Link(IN0, "V_MAX"), Link(IN1, "V_SUM"))
    assert two.vertices[1].node == (Link(1), Link(IN0), Link(IN1))


def test_worked_case_from_two_to_four():
    two = node_architecture([(IN0, "V_MAX"), (IN1, "V_SUM")], [(1, "V_MEAN"), (IN0, "skip")])
    four = divide(two)
    # In the order 1, 3, 2, 4 of the vertices' numbers after their ancestors.
    assert sources(four) == [[IN0, IN1], [1, IN0, IN1], [2, IN0], [3, 2, IN0]]
    assert four.vertices[2].node == (Link(2, "V_MEAN"), Link(IN0, "skip"))
    assert all(not link.decided for link in four.vertices[1].node + four.vertices[3].node)


def test_a_source_with_two_consumers_hands_both_to_its_child():
    three = node_architecture(
        [(IN0, "V_MAX"), (IN1, "V_SUM")],
        [(1, "V_MEAN"), (IN0, "skip")],
        [(1, "V_STD"), (2, "V_GEM2")],
    )
    assert sources(divide(three)) == [
        [IN0, IN1],
        [1, IN0, IN1],
        [2, IN0],
        [3, 2, IN0],
        [2, 4],
        [5, 2, 4],
    ]


def test_spaces_divide_at_once_and_apart():
    architecture = Architecture(
        (
            Vertex(
                (Link(IN0, "V_MAX"), Link(IN1, "skip")), (Link(IN1, "E_SUB"), Link(IN0, "E_MAX"))
            ),
            Vertex((Link(1, "V_SUM"), Link(IN0, "V_STD")), (Link(IN1, "E_HAD"), Link(IN0, "skip"))),
        )
    )
    four = divide(architecture)
    assert sources(four, "node") == [[IN0, IN1], [1, IN0, IN1], [2, IN0], [3, 2, IN0]]
    assert sources(four, "relation") == [[IN1, IN0], [1, IN1, IN0], [IN1, IN0], [3, IN1, IN0]]


def test_missing_vertices_come_from_the_latest():
    two = node_architecture([(IN0, "V_MAX"), (IN1, "V_SUM")], [(1, "V_MEAN"), (IN0, "skip")])
    assert sources(divide(two, missing=1)) == [[IN0, IN1], [1, IN0], [2, 1, IN0]]


@pytest.mark.parametrize("missing", [0, 3])
def test_impossible_numbers_of_new_vertices(missing):
    two = sample(2, random.Random(0))
    with pytest.raises(ValueError, match="gives 1 to 2"):
        divide(two, missing)


def test_mixtures_do_not_divide():
    with pytest.raises(ValueError, match="decided"):
        divide(undecided(2))


@given(seed=st.integers(0, 10_000), size=st.integers(1, 9), rounds=st.integers(1, 3))
def test_division_keeps_what_was_and_adds_local_supernets(seed, size, rounds):
    rng = random.Random(seed)
    old = sample(size, rng)
    for _ in range(rounds):
        new = divide(old)
        assert len(new) == 2 * len(old)
        for number, vertex in enumerate(old.vertices, start=1):
            parent, child = new.vertex(2 * number - 1), new.vertex(2 * number)
            for space in old.space.names:
                kept = [link.operation for link in vertex.links(space)]
                assert [link.operation for link in parent.links(space)] == kept
                # What left the old vertex p leaves its child, 2p, now.
                assert [link.source for link in parent.links(space)] == [
                    2 * link.source if link.source > 0 else link.source
                    for link in vertex.links(space)
                ]
                assert [link.source for link in child.links(space)] == [
                    2 * number - 1,
                    *(link.source for link in parent.links(space)),
                ]
                assert not any(link.decided for link in child.links(space))
        old = complete(new, rng)


@given(seed=st.integers(0, 1000), size=st.integers(2, 8), data=st.data())
def test_partial_division_grows_by_exactly_what_is_missing(seed, size, data):
    missing = data.draw(st.integers(1, size))
    old = sample(size, random.Random(seed))
    new = divide(old, missing)
    assert len(new) == size + missing
    assert len(new.mixtures("node")) == len(new.mixtures("relation")) == 3 * missing


@pytest.mark.parametrize(
    ("size", "start", "sizes"),
    [
        (16, 2, [2, 4, 8, 16]),
        (11, 2, [2, 4, 8, 11]),
        (3, 2, [2, 3]),
        (1, 2, [1]),
        (2, 2, [2]),
        (8, 1, [1, 2, 4, 8]),
        (8, 4, [4, 8]),
    ],
)
def test_sizes_on_the_way(size, start, sizes):
    assert growth(size, start) == sizes
