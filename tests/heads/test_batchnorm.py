"""BatchNorm by weight equals BatchNorm of repeated rows."""

import pytest
import torch
from torch import nn

from argnp.heads.batchnorm import WeightedBatchNorm


def pair(width: int) -> tuple[WeightedBatchNorm, nn.BatchNorm1d]:
    ours, torchs = WeightedBatchNorm(width), nn.BatchNorm1d(width)
    with torch.no_grad():
        for a, b in ((ours.scale, torchs.weight), (ours.shift, torchs.bias)):
            a.uniform_(0.5, 1.5, generator=torch.Generator().manual_seed(1))
            b.copy_(a)
    return ours, torchs


@pytest.mark.parametrize("repeat", [None, [1, 2, 2, 1, 3]])
def test_equals_torch_on_repeated_rows(
    repeat: list[int] | None, generator: torch.Generator
) -> None:
    ours, torchs = pair(3)
    times = torch.tensor(repeat or [1] * 5)
    weight = None if repeat is None else times.float()
    for _ in range(3):
        x = torch.randn(5, 3, generator=generator)
        probe = torch.randn(5, 3, generator=generator)
        a, b = x.clone().requires_grad_(), x.clone().requires_grad_()
        mine = ours(a, weight)
        theirs = torchs(b.repeat_interleave(times, 0))
        torch.testing.assert_close(mine.repeat_interleave(times, 0), theirs)
        (mine.repeat_interleave(times, 0) * probe.repeat_interleave(times, 0)).sum().backward()
        (theirs * probe.repeat_interleave(times, 0)).sum().backward()
        torch.testing.assert_close(a.grad, b.grad, atol=1e-5, rtol=1e-4)
        torch.testing.assert_close(ours.scale.grad, torchs.weight.grad)
        torch.testing.assert_close(ours.shift.grad, torchs.bias.grad)
    torch.testing.assert_close(ours.mean, torchs.running_mean)
    torch.testing.assert_close(ours.var, torchs.running_var)
    x = torch.randn(4, 3, generator=generator)
    torch.testing.assert_close(ours.eval()(x), torchs.eval()(x))


@pytest.mark.parametrize("rows", [0, 1])
def test_below_two_rows_the_running_statistics_normalise(rows: int) -> None:
    ours, torchs = pair(3)
    x = torch.full((rows, 3), 2.0, requires_grad=True)
    y = ours(x)
    torch.testing.assert_close(y, torchs.eval()(x))
    y.sum().backward()
    assert x.grad is not None
    assert torch.isfinite(x.grad).all()
    assert (ours.mean == 0).all()
    assert (ours.var == 1).all()


def test_one_pair_is_two_edges() -> None:
    ours, torchs = (norm.double() for norm in pair(2))
    x = torch.tensor([[1.0, 5.0]], dtype=torch.float64)
    torch.testing.assert_close(ours(x, torch.tensor([2.0])), torchs(x.repeat(2, 1))[:1])
    torch.testing.assert_close(ours.var, torchs.running_var)
