"""Running statistics that begin with the first batch."""

import math

import pytest
import torch
from tests.small import Recorder, small_training
from torch import nn

from argnp.heads.batchnorm import WeightedBatchNorm
from argnp.train.statistics import begin_with_first_batch


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_they_are_those_of_the_batch(scale: float) -> None:
    norm = WeightedBatchNorm(3)
    x = scale * (torch.randn(40, 3, generator=torch.Generator().manual_seed(0)) + 2)
    norm(x)
    begin_with_first_batch(nn.Sequential(norm))
    torch.testing.assert_close(norm.mean, x.mean(0))
    torch.testing.assert_close(norm.var, x.var(0), rtol=1e-4, atol=1e-6)


def test_what_the_batch_did_not_reach_stays() -> None:
    norm = WeightedBatchNorm(3)
    norm(torch.ones(1, 3))  # a single row moves nothing
    begin_with_first_batch(nn.Sequential(norm))
    assert not norm.mean.any()
    torch.testing.assert_close(norm.var, torch.ones(3))


def test_a_short_training_evaluates_the_network_that_it_trained() -> None:
    recorder = Recorder()
    training = small_training(observer=recorder, epochs=1, batch_size=12, lr=1e-9)
    training.run()
    (epoch,) = recorder.of("train-epoch")
    # One batch, no change of the weights: the training set looks the same both ways.
    training.val_batches = training.train_batches
    assert math.isclose(training.validate().loss, epoch["train_loss"], rel_tol=0.05)


def test_the_weights_do_not_depend_on_them() -> None:
    first, second = (small_training(epochs=3) for _ in range(2))
    for module in second.network.modules():
        if isinstance(module, WeightedBatchNorm):
            module.var.fill_(7.0)
    for training in (first, second):
        for _ in range(3):
            training.epoch()
    for ours, theirs in zip(first.optimiser.flats, second.optimiser.flats, strict=True):
        assert torch.equal(ours.data, theirs.data)
