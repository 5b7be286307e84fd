"""The best epoch of a training, by the validation set."""

import math
from dataclasses import dataclass, field

from torch import Tensor, nn

from argnp.heads.metrics import METRICS, better
from argnp.train.evaluate import Scores
from argnp.train.state import State, frozen


@dataclass
class Best:
    """The weights of the best epoch so far and what they reached."""

    metric: str
    epoch: int = -1
    value: float = math.nan
    loss: float = math.inf
    metrics: dict[str, float] = field(default_factory=dict)
    weights: dict[str, Tensor] = field(default_factory=dict)

    def offer(self, network: nn.Module, epoch: int, scores: Scores) -> None:
        """Keep the network's weights if they are the best so far."""
        value = scores.metrics[self.metric]
        if self._improves(value, scores.loss):
            self.epoch, self.value, self.loss = epoch, value, scores.loss
            self.metrics, self.weights = scores.metrics, frozen(network.state_dict())

    def _improves(self, value: float, loss: float) -> bool:
        """By the metric; by the loss where the validation set gives no metric (one class only)."""
        if math.isnan(value) and math.isnan(self.value):
            return loss < self.loss or not self.weights
        return better(METRICS[self.metric], value, self.value)

    def state(self) -> State:
        return vars(self).copy()
