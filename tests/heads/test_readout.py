"""The readout against plain loops, on graphs that lack nodes or relations."""

import pytest
import torch
from tests.heads.conftest import Twins

from argnp.heads.readout import Readout, read_out, readout_width
from argnp.ops.reference import ReferenceCore

CORE = ReferenceCore()


@pytest.mark.parametrize("mode", ["mean-max", "sum"])
def test_against_loops_and_per_edge(
    twins: Twins, generator: torch.Generator, mode: Readout
) -> None:
    V = torch.randn(6, 3, generator=generator, dtype=torch.float64)
    E = torch.randn(4, 2, generator=generator, dtype=torch.float64)
    edges = twins.expand(E)
    expected = []
    for nodes, relations in (
        ((0, 3), (0, 5)),
        ((3, 4), (5, 5)),
        ((4, 6), (5, 7)),
        ((6, 6), (7, 7)),
    ):
        row = []
        for rows in (V[slice(*nodes)], edges[slice(*relations)]):
            empty = torch.zeros(rows.shape[1], dtype=torch.float64)
            average = rows.mean(0) if mode == "mean-max" else rows.sum(0)
            row += [average, rows.amax(0)] if len(rows) else [empty, empty]
        expected.append(torch.cat(row))
    held = read_out(V, E, twins.pairs.topology, CORE, mode)
    torch.testing.assert_close(held, torch.stack(expected))
    torch.testing.assert_close(read_out(V, edges, twins.edges.topology, CORE, mode), held)
    assert held.shape[1] == readout_width(3, 2)


def test_without_relations(twins: Twins) -> None:
    V = torch.arange(6.0)[:, None]
    out = read_out(V, None, twins.pairs.topology, CORE)
    assert out.tolist() == [[1, 2], [3, 3], [4.5, 5], [0, 0]]
    assert out.shape[1] == readout_width(1, None)


@pytest.mark.parametrize("mode", ["mean-max", "sum"])
def test_gradients(twins: Twins, generator: torch.Generator, mode: Readout) -> None:
    V = torch.randn(6, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    E = torch.randn(4, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda v, e: read_out(v, e, twins.pairs.topology, CORE, mode), (V, E)
    )


def test_gradients_are_the_same_held_once_or_per_edge(
    twins: Twins, generator: torch.Generator
) -> None:
    probe = torch.randn(4, 4, generator=generator)
    grads = []
    for expand, batch in ((False, twins.pairs), (True, twins.edges)):
        E = torch.tensor([[1.0], [3.0], [2.0], [5.0]], requires_grad=True)
        rows = twins.expand(E) if expand else E
        (read_out(torch.ones(6, 1), rows, batch.topology, CORE) * probe).sum().backward()
        grads.append(E.grad)
    torch.testing.assert_close(grads[0], grads[1])
