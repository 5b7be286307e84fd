"""The steps as one would first write them in torch: what the reference shares with the fast paths
taken away from it.

The operations are those of the reference. But relations are held for every directed edge, every
backward pass computes every gradient, and optimisers go through the parameters one by one.
"""

from itertools import cycle

import numpy as np
import torch
from torch import nn

from argnp.arch import Architecture
from argnp.data.batch import GraphBatch
from argnp.data.loader import Loader
from argnp.data.remake import remake
from argnp.differentiate.alphas import Alphas, flatten
from argnp.differentiate.settings import SearchSettings
from argnp.heads.losses import loss_for
from argnp.nets.network import build
from argnp.ops.reference import ReferenceCore
from argnp.workflows.bench.workload import PAPER, Bench


class _Plain:
    """A network and the batches of the training set, cut beforehand, in turns."""

    def __init__(self, architecture: Architecture, bench: Bench) -> None:
        dataset = remake(bench.dataset, relations="directed")
        self.network = build(
            architecture, bench.widths, dataset.schema, seed=0, core=ReferenceCore()
        ).train()
        self.loss = loss_for(dataset.schema.task, PAPER.loss)
        loader = Loader.of(dataset, dataset.splits["train"], bench.batch_size, training=True)
        self.batches = cycle(list(loader.epoch(0)))


class PlainSearch(_Plain):
    """A step of the alphas on one batch, and one of the weights on another."""

    def __init__(self, supernet: Architecture, bench: Bench) -> None:
        super().__init__(supernet, bench)
        settings = SearchSettings()
        self.alphas = Alphas(supernet, np.random.default_rng(0))
        self.alpha_optimiser = torch.optim.Adam(
            self.alphas.parameters(),
            lr=settings.alpha_lr,
            betas=(0.5, 0.999),
            weight_decay=settings.alpha_decay,
        )
        self.w_optimiser = torch.optim.SGD(
            self.network.parameters(),
            lr=settings.w_lr,
            momentum=settings.w_momentum,
            weight_decay=settings.w_decay,
        )
        self.clip = settings.clip

    def few_steps(self, count: int) -> int:
        for _ in range(count):
            self._backward(next(self.batches))
            self.alpha_optimiser.step()
            self._backward(next(self.batches))
            nn.utils.clip_grad_norm_(self.network.parameters(), self.clip)
            self.w_optimiser.step()
        return count

    def _backward(self, batch: GraphBatch) -> None:
        self.alpha_optimiser.zero_grad()
        self.w_optimiser.zero_grad()
        mixture = flatten(self.alphas.probabilities())
        self.loss(self.network(batch, mixture), batch).backward()  # type: ignore[no-untyped-call]


class PlainTraining(_Plain):
    """Forward, backward, clipping, Adam."""

    def __init__(self, architecture: Architecture, bench: Bench) -> None:
        super().__init__(architecture, bench)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=PAPER.lr)

    def few_steps(self, count: int) -> int:
        for _ in range(count):
            batch = next(self.batches)
            self.optimiser.zero_grad()
            self.loss(self.network(batch), batch).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.network.parameters(), PAPER.clip)
            self.optimiser.step()
        return count
