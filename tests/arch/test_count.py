import random

import pytest

from argnp.arch import IN0, IN1, Architecture, Link, Space, Vertex, divide, sample, undecided
from argnp.arch.count import (
    cell_candidates,
    local_choices,
    node_operation_parameters,
    operation_parameters,
    proliferated,
    reachable_choices,
    relation_operation_parameters,
    supernet_operations,
)

SPACE = Space()


def test_published_counts():
    assert local_choices(SPACE) == 192
    assert reachable_choices(SPACE) == 3 * 49
    assert f"{proliferated(16, SPACE):.1e}" == "3.4e+36"
    assert f"{cell_candidates(4, SPACE):.1e}" == "3.0e+09"


@pytest.mark.parametrize("size", [2, 4, 8])
def test_a_round_holds_two_fixed_links_per_old_and_three_mixtures_per_new_vertex(size):
    supernet = divide(sample(size, random.Random(0)))
    for space in ("node", "relation"):
        assert supernet_operations(supernet, space) == 2 * size + 3 * size * 8


def test_the_last_round_to_sixteen_against_the_global_supernet():
    assert supernet_operations(divide(sample(8, random.Random(0)))) == 16 + 24 * 8
    assert supernet_operations(undecided(16)) == 152 * 8 == 1216


def test_published_weights_of_an_operation():
    assert node_operation_parameters(50, 25) == 11_650
    assert relation_operation_parameters(50, 25) == 3_925


def test_skips_weigh_nothing_and_cells_multiply():
    vertex = Vertex(
        (Link(IN0, "skip"), Link(IN1, "V_MAX")), (Link(IN0, "skip"), Link(IN1, "E_SUB"))
    )
    assert operation_parameters(Architecture((vertex,)), 50, 25) == 11_650 + 3_925
    two = Architecture((vertex,), Space(cells=2))
    assert operation_parameters(two, 50, 25) == 2 * (11_650 + 3_925)


def test_supernets_are_not_counted():
    with pytest.raises(ValueError, match="decided"):
        operation_parameters(undecided(2), 50, 25)
