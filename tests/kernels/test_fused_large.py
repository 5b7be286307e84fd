"""Graphs so large that what is added up in float32 would no longer be what it should be."""

import pytest
import torch
from fused_cases import Case, make_case, topology_of
from torch import Tensor

from argnp.kernels.fused import FusedCore, unavailable
from argnp.kernels.layout import node_layout
from argnp.ops.reference import ReferenceCore

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

WIDTH = 9


def both(case: Case) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Of the fused core in float32, and of the reference in float64."""
    return case.run(FusedCore(), torch.float32), case.run(ReferenceCore(), torch.float64)


def error(found: Tensor, exact: Tensor) -> float:
    """The largest, relative to the largest value."""
    return float((found - exact).abs().max() / exact.abs().max())


@pytest.mark.parametrize("nodes", [10_000, 200_000])
def test_batch_statistics_of_one_graph_with_a_large_mean(nodes: int) -> None:
    """Rows near 1000 that differ by about 1, which is 16,000 roundings of 1000.

    In blocks of 256 rows the statistics are as good as the rows themselves, about 1e-4 of a
    standard deviation; one sum over all rows would be wrong by a hundred times as much.
    """
    ring = [(i, (i + 1) % nodes) for i in range(nodes)]
    topology = topology_of([(nodes, ring)], undirected=False)
    case = make_case("nodes", ["V_SUM"], topology, (WIDTH, 1), sources=1, relations=False)
    node_layout(WIDTH, 1, relations=False).views(case.bank)["out.bias"].add_(1000.0)
    case.frozen = frozenset({"bank"})
    fused, exact = both(case)
    assert error(fused["mean"], exact["mean"]) < 1e-6
    assert error(fused["var"], exact["var"]) < 1e-5
    assert error(fused["out"], exact["out"]) < 1e-4
    assert error(fused["dV0"], exact["dV0"]) < 1e-3
    assert error(fused["dcoef"], exact["dcoef"]) < 1e-3


@pytest.mark.parametrize("outlier", ["first", "last", "none"])
@pytest.mark.parametrize("degree", [10_000, 100_000])
def test_deviation_at_a_hub(degree: int, outlier: str) -> None:
    """One message is hundreds of times as large as all others, and may be the pivot.

    Bounds: 5e-4 of the largest value; for the gradients of ordinary leaves, where the outlier is
    the pivot of 100,000 messages and their mean is a tiny difference to it, 1e-2.
    """
    star = [(leaf, 0) for leaf in range(1, degree + 1)]
    topology = topology_of([(degree + 1, star)], undirected=False)
    case = make_case(
        "nodes", ["V_STD"], topology, (WIDTH, 1), sources=1, relations=False, training=False
    )
    ordinary = torch.ones(degree + 1, dtype=torch.bool)
    if outlier != "none":
        at = 1 if outlier == "first" else degree
        case.V[0][at] *= 300.0
        ordinary[at] = False
    fused, exact = both(case)
    assert error(fused["out"][0], exact["out"][0]) < 5e-4
    assert error(fused["dV0"], exact["dV0"]) < 5e-4
    bound = 1e-2 if (degree, outlier) == (100_000, "first") else 5e-4
    assert error(fused["dV0"][ordinary], exact["dV0"][ordinary]) < bound
    assert error(fused["dbank"], exact["dbank"]) < 5e-4
