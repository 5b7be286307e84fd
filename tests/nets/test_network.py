import itertools
import random
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.arch import IN0, IN1, Link, Space, sample, undecided
from argnp.data.batch import GraphBatch
from argnp.data.schema import Features, Schema, Task
from argnp.differentiate.alphas import flatten
from argnp.nets.network import build
from argnp.nets.widths import Widths
from argnp.ops import catalogue
from argnp.ops.reference import ReferenceCore
from tests.nets.conftest import SCHEMA, symmetric_batch

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


@pytest.fixture
def unsigned(monkeypatch):
    """E_SUB as it is on undirected relations: on directed ones it is signed."""
    plain = catalogue.relation_operation("E_SUB")
    unsigned = {"E_SUB": lambda V_s, V_t, undirected: plain(V_s, V_t, undirected).abs()}
    monkeypatch.setattr(catalogue, "_RELATION", catalogue._RELATION | unsigned)


@pytest.mark.usefixtures("unsigned")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cells", [1, 2])
def test_pairs_held_once_equal_every_edge_for_itself(schema, seed, cells):
    architecture = sample(4, random.Random(seed), Space(cells=cells))
    results = [
        outcome(
            build(architecture, WIDTHS, schema, seed=seed, core=ReferenceCore()),
            symmetric_batch(undirected=undirected),
        )
        for undirected in (True, False)
    ]
    assert_same(*results)


@pytest.mark.usefixtures("unsigned")
def test_a_supernet_of_pairs_held_once_equals_every_edge_for_itself(schema):
    supernet = undecided(2)
    rows = {name: torch.rand(5 * 8 + 1, dtype=torch.float64) for name in supernet.space.names}
    results = [
        outcome(
            build(supernet, WIDTHS, schema, seed=2, core=ReferenceCore()),
            symmetric_batch(undirected=undirected),
            rows,
        )
        for undirected in (True, False)
    ]
    assert_same(*results)


def renamed(batch: GraphBatch, rng: random.Random) -> GraphBatch:
    """The same graphs, their nodes under other numbers and their relations in another order."""
    topology = batch.topology
    new = torch.cat(
        [torch.tensor(rng.sample(range(a, b), b - a)) for a, b in pieces(topology.node_ptr)]
    )
    order = torch.cat(
        [torch.tensor(rng.sample(range(a, b), b - a)) for a, b in pieces(topology.relation_ptr)]
    )

    def rows(values):
        moved = torch.empty_like(values)
        moved[new] = values
        return moved

    def ends(values):
        return new[values.long()][order].to(torch.int32)

    return replace(
        batch,
        topology=replace(
            topology,
            source=ends(topology.source),
            target=ends(topology.target),
            degree=rows(topology.degree),
            multiplicity=topology.multiplicity[order] if topology.undirected else None,
        ),
        node=rows(batch.node),
        edge=batch.edge[order],
        encoding=rows(batch.encoding),
    )


def pieces(ptr):
    return itertools.pairwise(ptr.tolist())


@pytest.mark.parametrize("undirected", [True, False])
@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), cells=st.integers(1, 2))
def test_a_network_does_not_see_how_nodes_are_numbered(undirected, seed, cells):
    rng = random.Random(seed)
    architecture = sample(rng.randint(1, 6), rng, Space(cells=cells))
    batch = symmetric_batch(undirected=undirected, seed=seed)
    network = build(architecture, WIDTHS, SCHEMA, seed=seed, core=ReferenceCore()).double()
    value, again = network(batch), network(renamed(batch, rng))
    torch.testing.assert_close(again, value, rtol=1e-8, atol=1e-8)


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
