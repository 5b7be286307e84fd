import random
from dataclasses import FrozenInstanceError

import pytest

from argnp.arch import IN0, IN1, Architecture, Link, Space, Vertex, sample, undecided


def test_values_are_hashable_equal_and_cannot_change():
    a, b = sample(5, random.Random(3)), sample(5, random.Random(3))
    assert a == b
    assert hash(a) == hash(b)
    assert len({a, b, sample(5, random.Random(4))}) == 2
    with pytest.raises(FrozenInstanceError):
        a.vertices = ()  # type: ignore[misc]


def test_undecided_links_everything_before():
    supernet = undecided(3)
    assert [link.source for link in supernet.vertex(3).node] == [IN0, IN1, 1, 2]
    assert len(supernet.mixtures()) == 2 * (2 + 3 + 4)
    assert not supernet.decided
    assert sample(3, random.Random(0)).decided


def test_size_counts_cells():
    assert sample(4, random.Random(0), Space(cells=3)).size == 12


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([Link(9, "V_MAX"), Link(IN0, "skip")], "vertex 1, node link 1: source 9 does not come"),
        ([Link(IN0, "V_MAX"), Link(1, "skip")], "vertex 1, node link 2: source 1 does not come"),
        ([Link(IN0, "V_MAX"), Link(IN0, "skip")], "node link 2: source in0 stands twice"),
        ([Link(IN0, "V_MAX"), Link(IN1, "V_MOX")], "node link 2: operation 'V_MOX' is none of"),
        ([Link(IN0, "V_MAX"), Link(IN1, "zero")], "node link 2: 'zero' is no decision"),
        ([Link(IN0, "V_MAX")], "vertex 1: 1 node links, 2 are needed"),
    ],
)
def test_unsound_links_are_named(links, message):
    with pytest.raises(ValueError, match=message):
        Architecture((Vertex(tuple(links)),), Space(relations=False))


def test_no_more_links_than_inputs_are_kept():
    vertex = Vertex((Link(IN0, "V_MAX"), Link(IN1, "V_MAX")))
    three = Vertex((Link(IN0, "V_MAX"), Link(IN1, "V_MAX"), Link(1)))
    with pytest.raises(ValueError, match="vertex 2: 2 node links may be kept"):
        Architecture((vertex, three), Space(relations=False))


def test_relation_links_need_a_relation_space():
    links = (Link(IN0, "V_MAX"), Link(IN1, "V_MAX"))
    with pytest.raises(ValueError, match="without relations"):
        Architecture((Vertex(links, links),), Space(relations=False))


@pytest.mark.parametrize(
    "wrong",
    [
        {"node_operations": ("V_MAX", "V_MAX")},
        {"node_operations": ("zero",)},
        {"cells": 0},
        {"inputs": 3},
        {"start_size": 0},
    ],
)
def test_unsound_spaces(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong)).split("_")[0]):
        Space(**wrong)


def test_start_size_is_no_part_of_what_an_architecture_is():
    assert Space(start_size=4) == Space(start_size=2)
