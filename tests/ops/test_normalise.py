import pytest
import torch

from argnp.ops.normalise import batchnorm


def drawn(rows, width=3):
    return torch.randn(
        rows, width, generator=torch.Generator().manual_seed(rows), dtype=torch.float64
    )


def fresh():
    return torch.full((3,), 0.5, dtype=torch.float64), torch.full((3,), 2.0, dtype=torch.float64)


@pytest.mark.parametrize("training", [True, False])
def test_without_weights_it_is_torchs(training):
    y, (mean, var), (mean2, var2) = drawn(6), fresh(), fresh()
    expected = torch.nn.functional.batch_norm(y, mean2, var2, training=training)
    torch.testing.assert_close(batchnorm(y, None, mean, var, training), expected)
    torch.testing.assert_close(mean, mean2)
    torch.testing.assert_close(var, var2)


def test_a_weight_is_a_repetition():
    y, weight = drawn(4), torch.tensor([2.0, 1, 2, 2])
    (mean, var), (mean2, var2) = fresh(), fresh()
    repeated = y.repeat_interleave(weight.long(), 0)
    value = batchnorm(y, weight, mean, var, True)
    expected = batchnorm(repeated, None, mean2, var2, True)
    torch.testing.assert_close(value.repeat_interleave(weight.long(), 0), expected)
    torch.testing.assert_close(mean, mean2)
    torch.testing.assert_close(var, var2)


@pytest.mark.parametrize("rows", [0, 1])
def test_fewer_than_two_rows_take_the_running_statistics(rows):
    y, (mean, var) = drawn(rows), fresh()
    torch.testing.assert_close(batchnorm(y, None, mean, var, True), (y - 0.5) / (2 + 1e-5) ** 0.5)
    assert mean.eq(0.5).all()
    assert var.eq(2).all()


def test_one_pair_counts_as_two_rows():
    y, (mean, var) = drawn(1), fresh()
    assert batchnorm(y, torch.tensor([2.0]), mean, var, True).eq(0).all()
    torch.testing.assert_close(var, torch.full_like(var, 1.8))


def test_a_large_mean_leaves_the_variance_exact_in_single_precision():
    y = 1000 + torch.tensor([[-0.04], [0.04], [-0.04], [0.04]])
    value = batchnorm(y, None, torch.zeros(1), torch.ones(1), True)
    spread = (y - 1000).double()
    torch.testing.assert_close(
        value.double(), spread / (spread.square().mean() + 1e-5).sqrt(), rtol=1e-4, atol=0
    )
