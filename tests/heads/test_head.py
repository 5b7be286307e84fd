"""Heads: sizes, what they read, and batches that are almost empty."""

from dataclasses import replace

import pytest
import torch
from tests.heads.conftest import Twins, pointer
from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.data.schema import Level, Task
from argnp.heads.head import Head
from argnp.kernels.topology import Topology
from argnp.ops.reference import ReferenceCore

CORE = ReferenceCore()


def task(level: Level, outputs: int = 3) -> Task:
    return Task(level, "classification", outputs)


@pytest.mark.parametrize(
    ("level", "edge_dim", "pairs", "sizes", "rows"),
    [
        ("graph", 30, False, (180, 45), 4),
        ("graph", None, False, (120, 30), 4),
        ("node", 30, False, (60, 30), 6),
        ("node", None, False, (60, 30), 6),
        ("edge", 30, False, (30, 15), 4),
        ("edge", None, False, (120, 60), 4),
        ("edge", 30, True, (120, 60), 2),
        ("edge", None, True, (120, 60), 2),
    ],
)
def test_sizes_and_rows(
    twins: Twins,
    level: Level,
    edge_dim: int | None,
    pairs: bool,
    sizes: tuple[int, int],
    rows: int,
) -> None:
    head = Head(task(level), 60, edge_dim, 0.0, pairs=pairs)
    inputs, hidden = sizes
    assert tuple(head.hidden.weight.shape) == (hidden, inputs)
    assert head.hidden.bias is None
    parameters = sum(parameter.numel() for parameter in head.parameters())
    assert parameters == inputs * hidden + 2 * hidden + 3 * hidden + 3
    named = torch.tensor([[0, 5], [3, 1]]) if pairs else None
    batch = replace(twins.pairs, edge_label_index=named)
    E = None if edge_dim is None else torch.randn(4, edge_dim)
    out = head(torch.randn(6, 60), E, batch, CORE)
    assert out.shape == (rows, 3)
    out.sum().backward()
    assert all(parameter.grad is not None for parameter in head.parameters())


def test_an_edge_head_is_the_same_held_once_or_per_edge(
    twins: Twins, generator: torch.Generator
) -> None:
    torch.manual_seed(0)
    held, single = Head(task("edge"), 4, 6, 0.0), Head(task("edge"), 4, 6, 0.0)
    single.load_state_dict(held.state_dict())
    V, E = torch.randn(6, 4, generator=generator), torch.randn(4, 6, generator=generator)
    probe = torch.randn(4, 3, generator=generator)
    mine = held(V, E, twins.pairs, CORE)
    theirs = single(V, twins.expand(E), twins.edges, CORE)
    torch.testing.assert_close(twins.expand(mine), theirs)
    (twins.expand(mine) * twins.expand(probe)).sum().backward()
    (theirs * twins.expand(probe)).sum().backward()
    for a, b in zip(held.parameters(), single.parameters(), strict=True):
        torch.testing.assert_close(a.grad, b.grad, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(held.norm.var, single.norm.var)


def test_without_relations_an_edge_head_still_counts_pairs_twice(
    twins: Twins, generator: torch.Generator
) -> None:
    head = Head(task("edge"), 4, None, 0.0)
    V = torch.randn(6, 4, generator=generator)
    head(V, None, twins.pairs, CORE)
    topology = twins.pairs.topology
    hidden = head.hidden(torch.cat([V[topology.source], V[topology.target]], 1))
    torch.testing.assert_close(head.norm.mean, 0.1 * twins.expand(hidden).mean(0))


def test_named_pairs_are_read_in_their_order(twins: Twins) -> None:
    head = Head(task("edge"), 2, 2, 0.0, pairs=True).eval()
    V, E = torch.randn(6, 2), torch.randn(4, 2)
    one = head(V, E, replace(twins.pairs, edge_label_index=torch.tensor([[0, 5], [3, 1]])), CORE)
    other = head(V, E, replace(twins.pairs, edge_label_index=torch.tensor([[5, 0], [1, 3]])), CORE)
    torch.testing.assert_close(one, other.flip(0))
    back = head(V, E, replace(twins.pairs, edge_label_index=torch.tensor([[3, 1], [0, 5]])), CORE)
    assert not torch.allclose(one, back)


@pytest.mark.parametrize("pairs", [True, False])
def test_named_pairs_and_the_head_have_to_agree(twins: Twins, pairs: bool) -> None:
    head = Head(task("edge"), 2, 2, 0.0, pairs=pairs)
    named = None if pairs else torch.tensor([[0], [1]])
    with pytest.raises(ValueError, match=f"built with pairs={pairs}"):
        head(torch.ones(6, 2), torch.ones(4, 2), replace(twins.pairs, edge_label_index=named), CORE)


def lonely(nodes: int, relations: int) -> GraphBatch:
    zeros = torch.zeros(relations, dtype=torch.int32)
    topology = Topology(
        nodes,
        zeros,
        zeros,
        pointer(nodes),
        pointer(relations),
        torch.full((nodes,), relations * 1.0),
    )
    return GraphBatch(topology, None, None)


@pytest.mark.parametrize("level", ["graph", "node", "edge"])
@pytest.mark.parametrize(("nodes", "relations"), [(1, 0), (1, 1), (0, 0)])
def test_almost_empty_batches_while_training(level: Level, nodes: int, relations: int) -> None:
    head = Head(task(level), 4, 4, 0.5)
    V = torch.randn(nodes, 4, requires_grad=True)
    E = torch.randn(relations, 4, requires_grad=True)
    out: Tensor = head(V, E, lonely(nodes, relations), CORE)
    assert torch.isfinite(out).all()
    out.sum().backward()
    for tensor in (V, E, *head.parameters()):
        assert tensor.grad is None or torch.isfinite(tensor.grad).all()


def test_the_narrowest_head_still_has_a_column() -> None:
    assert Head(task("node"), 1, None, 0.0).hidden.out_features == 1


def test_dropout_acts_while_training_only(twins: Twins) -> None:
    torch.manual_seed(0)
    head = Head(task("node"), 64, None, 0.5)
    V = torch.randn(6, 64)
    assert not torch.equal(head(V, None, twins.pairs, CORE), head(V, None, twins.pairs, CORE))
    head.eval()
    assert torch.equal(head(V, None, twins.pairs, CORE), head(V, None, twins.pairs, CORE))
