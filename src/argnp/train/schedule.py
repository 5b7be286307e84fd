"""Learning rates over the epochs of a training."""

import math
from dataclasses import dataclass

from argnp.train.settings import TrainSettings


def cosine(step: float, steps: float, high: float, low: float) -> float:
    """From ``high`` at step 0 to ``low`` at ``steps`` along half a cosine."""
    share = min(max(step / max(steps, 1e-12), 0.0), 1.0)
    return low + (high - low) * (1 + math.cos(math.pi * share)) / 2


@dataclass
class Plateau:
    """Halves the rate when a loss has not fallen for ``patience`` epochs in a row."""

    patience: int
    best: float = math.inf
    waited: int = 0
    factor: float = 1.0

    def observe(self, loss: float) -> None:
        if loss < self.best:
            self.best, self.waited = loss, 0
            return
        self.waited += 1
        if self.waited >= self.patience:
            self.factor /= 2
            self.waited = 0


def rate(settings: TrainSettings, progress: float, plateau: Plateau) -> float:
    """The learning rate when this share (0 .. 1) of the training is done."""
    if settings.schedule == "plateau":
        return settings.lr * plateau.factor
    if progress < settings.warmup:
        return settings.lr * max(progress / settings.warmup, 0.01)
    share = (progress - settings.warmup) / (1 - settings.warmup)
    return cosine(share, 1.0, settings.lr, min(settings.final_lr, settings.lr))
