"""Both levels of the search at work: a supernet's weights and its alphas, with their optimisers."""

import math
from collections.abc import Iterable
from functools import partial

import torch
from torch import Tensor

from argnp.arch import Architecture
from argnp.arch.space import SpaceName
from argnp.data.batch import GraphBatch
from argnp.data.dataset import Dataset
from argnp.differentiate.alphas import Alphas
from argnp.differentiate.settings import SearchSettings
from argnp.differentiate.update import Bilevel, Update
from argnp.differentiate.weighting import Weighting
from argnp.heads.dropout import rewound
from argnp.heads.losses import loss_for
from argnp.heads.scaling import Scaling
from argnp.kernels.core import Core
from argnp.nets.network import build
from argnp.nets.widths import Widths
from argnp.train.evaluate import scale_targets
from argnp.train.flat import FlatParameters
from argnp.train.seeds import derive, generator
from argnp.train.settings import TrainSettings
from argnp.train.state import State, frozen


class Levels:
    """A supernet that learns: every step of its weights follows one of the alphas."""

    def __init__(
        self,
        supernet: Architecture,
        dataset: Dataset,
        settings: SearchSettings,
        training: TrainSettings,
        widths: Widths,
        update: Update,
        weighting: Weighting,
        *,
        seed: int,
        core: Core,
        scaling: Scaling | None,
        device: str,
    ) -> None:
        self.settings, self.scaling, self.update = settings, scaling, update
        self.rate = settings.w_lr
        self.network = build(
            supernet,
            widths,
            dataset.schema,
            seed=derive(seed, "weights"),
            dropout=training.dropout,
            readout=training.readout,
            encoder_norm=training.encoder_norm,
            core=core,
            device=device,
        )
        self.loss = loss_for(dataset.schema.task, training.loss)
        self.alphas = Alphas(supernet, generator(seed, "alphas")).to(device)
        self.w = FlatParameters(self.network.parameters())
        self.w_optimiser = torch.optim.SGD(
            [self.w.parameter],
            lr=settings.w_lr,
            momentum=settings.w_momentum,
            weight_decay=settings.w_decay,
            fused=True,
        )
        self.alpha_optimiser = torch.optim.Adam(
            self.alphas.parameters(),
            lr=settings.alpha_lr,
            betas=(0.5, 0.999),
            weight_decay=settings.alpha_decay,
        )
        self.bilevel = Bilevel(
            loss=self._loss,
            w=self.w,
            alphas=self.alphas,
            weighting=weighting,
            rate=lambda: self.rate,
            momentum=settings.w_momentum,
            decay=settings.w_decay,
            buffer=self._momentum,
            rewound=partial(rewound, self.network),
        )

    def learn(
        self, batches: Iterable[tuple[GraphBatch, GraphBatch]], rate: float
    ) -> tuple[float, float]:
        """A step for each pair of batches; mean losses of weights and alphas.

        They are NaN as soon as one of them, or a weight at the end, is not finite.
        """
        self.rate = rate
        self.network.train()
        totals = torch.zeros(2, device=self.network.device)
        count = 0
        for train, held_out in batches:
            losses = self._step(self._taken(train), self._taken(held_out))
            if not torch.isfinite(losses).all():
                return math.nan, math.nan
            totals += losses
            count += 1
        alphas_finite = all(bool(torch.isfinite(row).all()) for row in self.alphas.parameters())
        if not (self.w.finite and alphas_finite):
            return math.nan, math.nan
        w_mean, alpha_mean = (totals / max(count, 1)).tolist()
        return w_mean, alpha_mean

    def adopt(self, architecture: Architecture) -> None:
        """Follow a further decided state: what is pruned costs nothing, what is decided stays."""
        self.network.body.adopt(architecture)
        self.alphas.adopt(architecture)

    def state(self) -> State:
        return {
            "network": frozen(self.network.state_dict()),
            "alphas": frozen(self.alphas.state_dict()),
            "w": frozen(self.w_optimiser.state_dict()),
            "alpha": frozen(self.alpha_optimiser.state_dict()),
        }

    def restore(self, state: State) -> None:
        self.network.load_state_dict(state["network"])
        self.alphas.load_state_dict(state["alphas"])
        self.w_optimiser.load_state_dict(state["w"])
        self.alpha_optimiser.load_state_dict(state["alpha"])

    def _step(self, train: GraphBatch, held_out: GraphBatch) -> Tensor:
        """The alphas, then the weights; (loss of the weights, loss of the alphas)."""
        gradients, alpha_loss = self.update(self.bilevel, train, held_out)
        for row, found in zip(self.alphas.parameters(), gradients, strict=True):
            row.grad = found
        with self.alphas.only_open():
            self.alpha_optimiser.step()
        gradient, w_loss = self.bilevel.weight_gradient(train)
        gradient.mul_(torch.clamp(self.settings.clip / (gradient.norm() + 1e-6), max=1.0))
        self.w_optimiser.param_groups[0]["lr"] = self.rate
        self.w_optimiser.step()
        return torch.stack([w_loss, alpha_loss])

    def _taken(self, batch: GraphBatch) -> GraphBatch:
        return scale_targets(batch.to(self.network.device), self.scaling)

    def _loss(self, batch: GraphBatch, mixture: dict[SpaceName, Tensor]) -> Tensor:
        return self.loss(self.network(batch, mixture), batch)

    def _momentum(self) -> Tensor | None:
        state = self.w_optimiser.state.get(self.w.parameter, {})
        buffer: Tensor | None = state.get("momentum_buffer")
        return buffer
