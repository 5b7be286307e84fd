import random

import pytest
import torch

from argnp.arch import IN0, IN1, Link, Space, sample, undecided
from argnp.data.schema import Features, Schema, Task
from argnp.differentiate.alphas import flatten
from argnp.kernels.batched import BatchedCore
from argnp.nets.cores import choose
from argnp.nets.network import build
from argnp.nets.widths import Widths
from argnp.ops.reference import ReferenceCore
from tests.nets.conftest import symmetric_batch

WIDTHS = Widths(6, 4, 8, 5)


def outcome(network, batch, mixture=None):
    """Outputs, gradients and running statistics after one training step's passes."""
    network.double().train()
    out = network(batch, mixture)
    out.square().sum().backward()
    # A vertex of skips alone has an empty bank, whose gradient may be empty or missing.
    gradients = {
        n: p.grad for n, p in network.named_parameters() if p.numel() and p.grad is not None
    }
    buffers = {name: b for name, b in network.named_buffers() if b.is_floating_point()}
    return {"out": out.detach(), **gradients, **buffers}


def assert_same(one, other, tolerance=1e-9):
    assert one.keys() == other.keys()
    for name, value in one.items():
        torch.testing.assert_close(value, other[name], rtol=tolerance, atol=tolerance, msg=name)


def symmetric(space: Space) -> Space:
    """Without E_SUB: on directed relations it is signed, so only there the two differ."""
    return Space(
        relation_operations=tuple(op for op in space.relation_operations if op != "E_SUB"),
        cells=space.cells,
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cells", [1, 2])
def test_pairs_held_once_equal_every_edge_for_itself(schema, seed, cells):
    architecture = sample(4, random.Random(seed), symmetric(Space(cells=cells)))
    results = [
        outcome(
            build(architecture, WIDTHS, schema, seed=seed, core=ReferenceCore()),
            symmetric_batch(undirected=undirected),
        )
        for undirected in (True, False)
    ]
    assert_same(*results)


@pytest.mark.parametrize("seed", range(4))
def test_cores_agree_on_whole_networks(schema, seed):
    architecture = sample(5, random.Random(seed), Space(cells=2))
    batch = symmetric_batch(undirected=True)
    reference, batched = (
        outcome(build(architecture, WIDTHS, schema, seed=0, core=core), batch)
        for core in (ReferenceCore(), BatchedCore())
    )
    assert_same(reference, batched)


def test_a_supernet_with_all_weight_on_one_candidate_is_that_network(schema):
    supernet = undecided(2)
    rng = random.Random(5)
    architecture = sample(2, rng)
    network = build(supernet, WIDTHS, schema, seed=1, core=ReferenceCore()).double().eval()
    batch = symmetric_batch(undirected=True)
    weights = {}
    for space in supernet.space.names:
        operations = supernet.space.operations(space)
        rows = []
        for place, link in supernet.places(space):
            kept = {
                kept.source: kept.operation
                for kept in architecture.vertex(place.vertex).links(space)
            }
            chosen = kept.get(link.source, "zero")
            rows.append([float(operation == chosen) for operation in operations])
        weights[space] = torch.tensor(rows, dtype=torch.float64)
    mixed = network(batch, flatten(weights))
    network.body.adopt(architecture)
    torch.testing.assert_close(network(batch, flatten(weights)), mixed, rtol=1e-10, atol=1e-10)


def test_pruned_links_leave_their_weights_without_gradient(schema):
    supernet = undecided(1)
    network = build(supernet, WIDTHS, schema, seed=1, core=ReferenceCore())
    decided = supernet.with_links("node", 1, (Link(IN0, "V_MAX"), Link(IN1, "skip")))
    network.body.adopt(decided)
    ones = {space: torch.ones(2 * 8 + 1) for space in ("node", "relation")}
    network(symmetric_batch(undirected=True), ones).sum().backward()
    gradient = network.body.cells[0].bank("node", 1).weight.grad
    assert [row.any().item() for row in gradient].count(True) == 1


def test_the_same_seed_gives_the_same_weights_and_leaves_others_alone(schema):
    architecture = sample(3, random.Random(0))
    torch.manual_seed(7)
    before = torch.random.get_rng_state()
    one, same, other = (
        build(architecture, WIDTHS, schema, seed=seed, core=ReferenceCore()) for seed in (3, 3, 4)
    )
    assert torch.equal(before, torch.random.get_rng_state())
    pairs = zip(one.parameters(), same.parameters(), other.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b, _ in pairs)
    assert any(
        not torch.equal(a, c) for a, c in zip(one.parameters(), other.parameters(), strict=True)
    )


@pytest.mark.parametrize("level", ["node", "edge"])
@pytest.mark.parametrize("relations", [True, False])
def test_rows_of_node_and_edge_tasks(level, relations):
    schema = Schema(
        Task(level, "classification", 3), Features("codes", (4,)), Features("codes", (3,))
    )
    architecture = sample(3, random.Random(0), Space(relations=relations))
    network = build(architecture, WIDTHS, schema, seed=0, core=ReferenceCore())
    batch = symmetric_batch(undirected=True)
    rows = batch.topology.num_nodes if level == "node" else batch.topology.num_relations
    assert network(batch).shape == (rows, 3)


def test_features_hold_every_vertex_of_every_cell(schema):
    architecture = sample(3, random.Random(0), Space(cells=2))
    network = build(architecture, WIDTHS, schema, seed=0, core=ReferenceCore())
    streams = network.features(symmetric_batch(undirected=True))
    assert [sorted(cell) for cell in streams] == [[-1, 0, 1, 2, 3]] * 2
    assert streams[1][3].V.shape == (10, 6)
    assert network.training


def test_unknown_codes_have_a_slot_of_their_own(schema):
    network = build(sample(2, random.Random(0)), WIDTHS, schema, seed=0, core=ReferenceCore())
    assert network.encoder.node.embedding.num_embeddings == 5


def test_kernels_by_name():
    assert choose("reference").core.name == "reference"
    assert choose("torch").core.name == "torch"
    assert choose("auto").core.name in ("fused", "torch")
