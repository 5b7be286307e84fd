import random

import pytest

from argnp.arch import divide, sample
from argnp.kernels.core import Term
from argnp.kernels.flops import forward_flops, step_flops
from argnp.nets.compile import bank_rows, mixture_index, plan


def terms(architecture, space):
    mixtures = mixture_index(architecture, space)
    return [
        term
        for vertex in range(1, len(architecture) + 1)
        for term in plan(
            architecture, space, vertex, bank_rows(architecture, space, vertex), mixtures
        ).terms
    ]


def test_a_search_step_of_the_round_to_sixteen_on_a_batch_of_molecules():
    """75 GFLOP: published for 3,003 atoms and 3,231 bonds at widths 50 and 25."""
    supernet = divide(sample(8, random.Random(1)))
    forward = forward_flops(
        terms(supernet, "node"),
        terms(supernet, "relation"),
        nodes=3003,
        relations=3231,
        node_dim=50,
        edge_dim=25,
    )
    step = step_flops(forward, weights=False) + step_flops(forward, weights=True)
    # 24 mixtures of 6 operations a space, and 16 fixed links of which some are skips.
    assert step / 1e9 == pytest.approx(75, rel=0.05)


def test_skips_are_free():
    skip = [Term("skip", 0, -1)]
    assert forward_flops(skip, skip, nodes=9, relations=9, node_dim=5, edge_dim=3) == 0
