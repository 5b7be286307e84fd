"""Optimisers over flat buffers."""

import torch
from torch import nn

from argnp.train.flat import FlatParameters, split_decayed
from argnp.train.settings import TrainSettings
from argnp.train.state import frozen


class Optimiser:
    """Adam or AdamW over a network's weights, with clipping and a running average of them."""

    def __init__(self, network: nn.Module, settings: TrainSettings) -> None:
        shrunk, left = split_decayed(network)
        self.flats = [FlatParameters(shrunk), FlatParameters(left)]
        groups = [
            {"params": [flat.parameter], "weight_decay": decay}
            for flat, decay in zip(self.flats, (settings.weight_decay, 0.0), strict=True)
        ]
        kind = torch.optim.Adam if settings.optimizer == "adam" else torch.optim.AdamW
        self.inner = kind(groups, lr=settings.lr, fused=True)
        self.clip = settings.clip
        self.ema = settings.ema
        self.averages = [flat.data.clone() for flat in self.flats] if settings.ema else []
        self.steps = 0

    def zero_grad(self) -> None:
        for flat in self.flats:
            flat.grad.zero_()

    def step(self, lr: float) -> None:
        """Clip the gradient's norm, step, and follow with the average."""
        norm = torch.stack([flat.grad.norm() for flat in self.flats]).norm()
        factor = torch.clamp(self.clip / (norm + 1e-6), max=1.0)
        for flat in self.flats:
            flat.grad.mul_(factor)
        for group in self.inner.param_groups:
            group["lr"] = lr
        self.inner.step()
        self.steps += 1
        # Early on the average follows more closely, so that it forgets where it began.
        weight = 1 - min(self.ema, (1 + self.steps) / (10 + self.steps))
        for average, flat in zip(self.averages, self.flats, strict=False):
            average.lerp_(flat.data, weight)

    def swap(self) -> None:
        """Exchange the weights and their average (nothing happens without one)."""
        for average, flat in zip(self.averages, self.flats, strict=False):
            kept = average.clone()
            average.copy_(flat.data)
            flat.data.copy_(kept)

    def state(self) -> dict[str, object]:
        """Everything but the weights, which are the network's to keep."""
        return {
            "inner": frozen(self.inner.state_dict()),
            "averages": frozen(self.averages),
            "steps": self.steps,
        }

    def restore(self, state: dict[str, object]) -> None:
        inner, averages = state["inner"], state["averages"]
        assert isinstance(inner, dict)
        assert isinstance(averages, list)
        self.inner.load_state_dict(inner)
        for average, saved in zip(self.averages, averages, strict=True):
            average.copy_(saved)
        steps = state["steps"]
        assert isinstance(steps, int)
        self.steps = steps
