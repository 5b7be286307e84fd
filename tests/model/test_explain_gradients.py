"""Attribution on networks whose answer is known, and on searched ones."""

import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from argnp.arch import Space, sample
from argnp.data.batch import GraphBatch
from argnp.data.ingest import ingest
from argnp.kernels.core import Pair
from argnp.kernels.topology import Topology
from argnp.model.explain_gradients import STEPS, attribute, steps_for
from argnp.nets.network import build
from argnp.nets.widths import Widths


def number(out):
    return out[..., 0, 0].mean(0)


@pytest.fixture
def settled(raw_graphs):
    """Makes networks that have seen their data, and a graph of it."""
    dataset = ingest(raw_graphs(floats=True), name="rings")
    everything = dataset.source.batch(np.arange(len(dataset.source)))

    def make(vertices: int, seed: int):
        architecture = sample(vertices, random.Random(seed), Space())
        network = build(architecture, Widths(6, 5, 7, 4), dataset.schema, seed=seed)
        for _ in range(20):
            network.train()(everything)
        return network.double().eval()

    largest = int(dataset.source.sizes()[1].argmax())
    return make, dataset.source.batch(np.array([largest]))


@pytest.fixture
def one(settled):
    """A network and a graph."""
    make, batch = settled
    return make(3, 4), batch


class Told(torch.nn.Module):
    """The encoder and the head of a network, and between them what a test says."""

    def __init__(self, network, body):
        super().__init__()
        self.encoder, self.core = network.encoder, None
        self.body = body
        self.head = lambda V, E, batch, core: (
            V.view(batch.num_graphs, -1).sum(1) + E.view(batch.num_graphs, -1).sum(1)
        )[:, None]
        self.device = network.device


@pytest.mark.parametrize("node", [0, 3])
def test_the_only_node_that_counts_is_all_there_is(one, node):
    network, batch = one
    copies = batch.topology.num_nodes

    def body(pair, topology, core):
        counted = torch.arange(len(pair.V)) % copies == node
        return Pair(pair.V.square() * counted[:, None], pair.E * 0)

    found = attribute([Told(network, body)], batch, number)
    assert np.flatnonzero(found.node).tolist() == [node]
    assert not found.relation.any()
    assert found.node[node] == pytest.approx(found.value - found.blank, rel=1e-3)


@pytest.mark.parametrize("relation", [1, 2])
def test_the_only_relation_that_counts_is_all_there_is(one, relation):
    network, batch = one
    copies = batch.topology.num_relations

    def body(pair, topology, core):
        counted = torch.arange(len(pair.E)) % copies == relation
        return Pair(pair.V * 0, pair.E.tanh() * counted[:, None])

    found = attribute([Told(network, body)], batch, number)
    assert np.flatnonzero(found.relation).tolist() == [relation]
    assert not found.node.any()


def test_importances_add_up(one):
    network, batch = one
    found = attribute([network], batch, number)
    total = found.node.sum() + found.relation.sum()
    assert abs(found.value - found.blank) > 1e-3
    assert total == pytest.approx(found.value - found.blank, rel=0.05)
    with torch.inference_mode():
        assert found.value == pytest.approx(float(network(batch)[0, 0]), rel=1e-9)


def test_other_numbers_for_the_nodes_change_nothing_else(one):
    network, batch = one
    renamed = torch.randperm(batch.topology.num_nodes, generator=torch.Generator().manual_seed(1))
    old = attribute([network], batch, number)
    new = attribute([network], permuted(batch, renamed), number)
    np.testing.assert_allclose(new.node[renamed.numpy()], old.node, rtol=1e-9)
    ends = torch.stack([batch.topology.source, batch.topology.target], 1)
    order = by_target(renamed[ends.long()])
    np.testing.assert_allclose(new.relation, old.relation[order.numpy()], rtol=1e-9)


def by_target(ends):
    """Order of relations; of pairs held once the direction stays as it was."""
    return torch.argsort(ends[:, 1], stable=True)


def permuted(batch: GraphBatch, renamed: torch.Tensor) -> GraphBatch:
    """Node i becomes node renamed[i]."""
    topology: Topology = batch.topology
    ends = renamed[torch.stack([topology.source, topology.target], 1).long()].int()
    order = by_target(ends)
    back = torch.argsort(renamed)
    edge, multiplicity = batch.edge, topology.multiplicity
    return replace(
        batch,
        topology=replace(
            topology,
            source=ends[order, 0].contiguous(),
            target=ends[order, 1].contiguous(),
            degree=topology.degree[back],
            multiplicity=None if multiplicity is None else multiplicity[order],
        ),
        node=None if batch.node is None else batch.node[back],
        edge=None if edge is None else edge[order],
        encoding=None if batch.encoding is None else batch.encoding[back],
    )


def test_several_networks_are_their_mean(settled):
    make, batch = settled
    networks = [make(3, 4), make(2, 0)]
    apart = [attribute([network], batch, number) for network in networks]
    both = attribute(networks, batch, number)
    np.testing.assert_allclose(both.node, (apart[0].node + apart[1].node) / 2)
    assert both.value == pytest.approx((apart[0].value + apart[1].value) / 2)


def test_gradients_leave_the_network_as_it_was(one):
    network, batch = one
    before = {name: value.clone() for name, value in network.state_dict().items()}
    attribute([network], batch, number)
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())
    assert all(p.grad is None for p in network.parameters())


def test_large_graphs_take_fewer_steps(one):
    _, batch = one
    assert steps_for(batch) == STEPS
    large = replace(batch, topology=replace(batch.topology, num_nodes=30_000))
    assert steps_for(large) == 8
