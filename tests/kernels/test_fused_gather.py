"""The fused gather against the same thing laid side by side, in float64."""

import pytest
import torch
from torch import Tensor

from argnp.kernels.core import gather_joined
from argnp.kernels.fused import FusedCore, unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def run(compute, streams: list[Tensor], weight: Tensor, frozen: tuple[int, ...]) -> list[Tensor]:
    """Output and gradients; the weight is tensor 0, streams follow."""
    leaves = [t.clone().requires_grad_(i not in frozen) for i, t in enumerate([weight, *streams])]
    out = compute(leaves[1:], leaves[0])
    if out.requires_grad:
        (out * torch.linspace(-1, 1, out.numel(), dtype=out.dtype).view_as(out)).sum().backward()
    return [out.detach(), *(leaf.grad for leaf in leaves if leaf.grad is not None)]


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("frozen", [(), (0,), (1, 2), (0, 1, 2, 3)])
@pytest.mark.parametrize(
    ("rows", "width", "outputs"), [(300, 50, 60), (97, 25, 30), (5, 1, 3), (200, 8, 130), (0, 4, 2)]
)
def test_values_and_gradients(
    rows: int, width: int, outputs: int, frozen: tuple[int, ...], threads: int
) -> None:
    rng = torch.Generator().manual_seed(rows)
    streams = [torch.randn(rows, width, generator=rng) for _ in range(3)]
    weight = torch.randn(outputs, 3 * width, generator=rng)
    torch.set_num_threads(threads)
    try:
        found = run(FusedCore().gather, streams, weight, frozen)
    finally:
        torch.set_num_threads(1)
    expected = run(gather_joined, [s.double() for s in streams], weight.double(), frozen)
    assert len(found) == len(expected) == 5 - len(frozen)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one.double(), other, rtol=1e-4, atol=1e-4)


def test_one_stream_twice_and_strided() -> None:
    wide = torch.randn(40, 12)
    stream, weight = wide[:, ::2], torch.randn(7, 12)
    found = run(lambda s, w: FusedCore().gather([s[0], s[0]], w), [stream], weight, ())
    expected = run(lambda s, w: gather_joined([s[0], s[0]], w), [stream], weight, ())
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)
