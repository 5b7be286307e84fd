"""What follows a cell: every core against the reference in float64."""

from itertools import pairwise

import pytest
import torch
from torch import Tensor

from argnp.kernels.batched import BatchedCore
from argnp.kernels.core import AffineNorm, Core
from argnp.kernels.fused import FusedCore, unavailable
from argnp.kernels.topology import Segments
from argnp.ops.reference import ReferenceCore

needs_fused = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
CORES = [
    pytest.param(BatchedCore(), torch.float64, id="torch"),
    pytest.param(FusedCore(), torch.float32, id="fused", marks=needs_fused),
]
TOLERANCES = {
    torch.float64: {"rtol": 1e-10, "atol": 1e-12},
    torch.float32: {"rtol": 1e-4, "atol": 1e-4},
}


@pytest.fixture(autouse=True, params=[1, 3])
def threads(request: pytest.FixtureRequest):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


def norm_act(
    core: Core, dtype: torch.dtype, x: Tensor, weight: Tensor | None, training: bool
) -> list[Tensor]:
    """Output, gradients and running statistics."""
    width = x.shape[1]
    x, scale, shift = (
        t.to(dtype).requires_grad_()
        for t in (x, torch.linspace(0.5, 1.5, width), torch.linspace(-1, 1, width))
    )
    norm = AffineNorm(
        scale, shift, torch.full((width,), 0.2), torch.full((width,), 0.7), training=training
    )
    out = core.norm_act(x, weight, norm)
    (out * torch.linspace(-1, 2, out.numel(), dtype=dtype).view_as(out)).sum().backward()
    grads = [t.grad for t in (x, scale, shift) if t.grad is not None]
    return [out.detach(), *grads, norm.mean, norm.var]


@pytest.mark.parametrize(("core", "dtype"), CORES)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(("rows", "width"), [(300, 60), (131, 7), (2, 1), (1, 30), (0, 5)])
def test_norm_act(
    core: Core, dtype: torch.dtype, rows: int, width: int, weighted: bool, training: bool
) -> None:
    rng = torch.Generator().manual_seed(rows)
    x = 3 + torch.randn(rows, width, generator=rng, dtype=torch.float64)
    weight = torch.randint(1, 3, (rows,), generator=rng).float() if weighted else None
    found = norm_act(core, dtype, x.clone(), weight, training)
    expected = norm_act(ReferenceCore(), torch.float64, x.clone(), weight, training)
    assert len(found) == len(expected) == 6
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one.double(), other.double(), **TOLERANCES[dtype])


@pytest.mark.parametrize(("core", "dtype"), CORES)
def test_a_large_mean_leaves_a_small_variance(core: Core, dtype: torch.dtype) -> None:
    x = 1000 + torch.randn(500, 4, dtype=torch.float64) / 8
    found, expected = (
        norm_act(c, t, x.float().to(t), None, True)
        for c, t in ((core, dtype), (ReferenceCore(), torch.float64))
    )
    torch.testing.assert_close(found[0].double(), expected[0], rtol=1e-3, atol=1e-3)


def read_out(
    core: Core, dtype: torch.dtype, rows: Tensor, segments: Segments, mean: bool
) -> list[Tensor]:
    """Output and gradient."""
    leaf = rows.to(dtype).requires_grad_()
    out = core.read_out(leaf, segments, mean=mean)
    (out * torch.linspace(-1, 2, out.numel(), dtype=dtype).view_as(out)).sum().backward()
    assert leaf.grad is not None
    return [out.detach(), leaf.grad]


@pytest.mark.parametrize(("core", "dtype"), CORES)
@pytest.mark.parametrize("mean", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize(
    ("ptr", "width"),
    [([0, 3, 3, 200, 201], 60), ([0, 0, 70], 5), ([0, 0], 3), ([0, 1], 1), ([0, 500], 30)],
)
def test_read_out(
    core: Core, dtype: torch.dtype, ptr: list[int], width: int, weighted: bool, mean: bool
) -> None:
    rng = torch.Generator().manual_seed(width)
    # whole numbers: some rows share the maximum, and with it its gradient
    rows = torch.randint(-3, 4, (ptr[-1], width), generator=rng).double()
    graph = torch.tensor(
        [g for g, (a, b) in enumerate(pairwise(ptr)) for _ in range(b - a)], dtype=torch.int32
    )
    weight = torch.randint(1, 3, (ptr[-1],), generator=rng).float() if weighted else None
    segments = Segments(torch.tensor(ptr, dtype=torch.int32), graph, weight)
    found = read_out(core, dtype, rows, segments, mean)
    expected = read_out(ReferenceCore(), torch.float64, rows, segments, mean)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one.double(), other, **TOLERANCES[dtype])
