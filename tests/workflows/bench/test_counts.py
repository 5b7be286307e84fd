"""What a step needs is what torch does in it, where nothing is computed that nobody reads."""

import random

import pytest
import torch
from tests.nets.conftest import symmetric_batch
from torch.utils.flop_counter import FlopCounterMode

from argnp.arch import Space, sample, undecided
from argnp.arch.divide import divide
from argnp.kernels.core import Pair
from argnp.kernels.flops import gather_flops
from argnp.nets.body import Body
from argnp.nets.widths import Widths
from argnp.ops.reference import ReferenceCore
from argnp.workflows.bench.counts import arithmetic, count
from argnp.workflows.bench.workload import Bench, last_supernet, molecules

WIDTHS = Widths(6, 4, 8, 5)
BOTH, NODE, RELATION = ("node", "relation"), ("node",), ("relation",)
ARCHITECTURES = {
    "supernet": undecided(3),
    "half decided": divide(sample(2, random.Random(1)), 2),
    "decided": sample(4, random.Random(2)),
    "no relations": undecided(3, Space(relations=False)),
}


@pytest.mark.parametrize("outputs", [BOTH, NODE, RELATION])
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_operations_are_those_that_torch_counts(name, outputs):
    architecture = ARCHITECTURES[name]
    relations = architecture.space.relations
    if not relations and outputs != NODE:
        pytest.skip("no relations to read")
    topology = symmetric_batch(undirected=True).topology
    n, r = topology.num_nodes, topology.num_relations
    body = Body(architecture, WIDTHS, outputs).requires_grad_(False)
    mixture = {
        space: torch.rand(
            len(architecture.mixtures(space)) * len(architecture.space.operations(space)) + 1,
            requires_grad=True,
        )
        for space in architecture.space.names
    }
    inputs = Pair(torch.randn(n, 6), torch.randn(r, 4) if relations else None)
    with FlopCounterMode(display=False) as first:
        found = body(inputs, topology, ReferenceCore(), mixture)
        loss = sum(stream.sum() for stream in found if stream is not None)
    forward, inward = arithmetic(architecture, WIDTHS, outputs, n, r)
    assert first.get_total_flops() == forward
    if architecture.decided:
        assert inward == 0
        return
    with FlopCounterMode(display=False) as second:
        torch.autograd.grad(loss, list(mixture.values()), allow_unused=True)
    # Torch adds the inputs' share of the gather, which nobody asked for; and the weight 1 of what
    # is decided stands among the mixture's, so that it goes back through decided vertices too.
    ends = {"node": (n, 1, 6, 8), "relation": (r, 1, 4, 5)}
    for_inputs = sum(gather_flops(*ends[space]) for space in outputs)
    if name == "half decided":
        assert 0 < inward < second.get_total_flops()
    else:
        assert second.get_total_flops() == inward + for_inputs


def test_a_step_of_the_alphas_needs_less_than_one_of_the_weights():
    bench = Bench(molecules(16), 4)
    supernet = last_supernet(4)
    weights, both = (count(supernet, bench, search=search).flops for search in (False, True))
    assert weights / 3 < both - weights < 2 * weights / 3
