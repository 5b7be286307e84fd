"""Running statistics that begin with what is seen, and not with 0 and 1."""

import torch
from torch import nn

from argnp.heads.batchnorm import WeightedBatchNorm
from argnp.kernels.core import MOMENTUM
from argnp.nets.bank import Bank


@torch.no_grad()
def begin_with_first_batch(network: nn.Module) -> None:
    """After the first step: the running mean and variance become those of its batch.

    ``mean = 0.9 * 0 + 0.1 m`` and ``var = 0.9 * 1 + 0.1 v`` are solved for m and v. Variances
    inside the network are a thousandth of 1 and less, so that in a short training the 1 would
    outweigh them for as many as a hundred steps, and evaluation would see another network than
    training does. What the batch has not moved stays at 0 and 1.
    """
    for module in network.modules():
        if isinstance(module, Bank | WeightedBatchNorm):
            module.mean.div_(MOMENTUM)
            module.var.sub_(1 - MOMENTUM).div_(MOMENTUM).clamp_(min=0)
