"""Training one network: epochs, the best of them by validation, and never losing any."""

import math
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch

from argnp.data.dataset import Dataset
from argnp.data.loader import Loader
from argnp.heads.losses import loss_for
from argnp.heads.scaling import Scaling
from argnp.nets.network import Network
from argnp.train.best import Best
from argnp.train.evaluate import Scores, evaluate, feed
from argnp.train.memory import peak_bytes
from argnp.train.observer import Observer
from argnp.train.optimise import Optimiser
from argnp.train.pace import Labels, Pace, Unhurried
from argnp.train.schedule import Plateau, rate
from argnp.train.seeds import derive
from argnp.train.setbacks import Setbacks
from argnp.train.settings import TrainSettings
from argnp.train.state import Keeper, State, frozen
from argnp.train.statistics import begin_with_first_batch


@dataclass(frozen=True)
class Trained:
    """The network at its best epoch on the validation set, and what it took to get there.

    ``cut``: it ended before its last epoch.
    """

    network: Network
    best_epoch: int
    metrics: dict[str, float]
    seconds: float
    peak_bytes: int
    cut: bool = False


@dataclass
class _Progress:
    """What a checkpoint holds besides weights. ``end``: the epoch at which time ran out."""

    epoch: int = 0
    end: int | None = None
    setbacks: int = 0
    seconds: float = 0.0
    peak_bytes: int = 0


class Training:
    """A network on its way through the epochs.

    ``folder`` None: no checkpoints. The same settings, data and seed give the same weights,
    whether or not the process was killed in between.
    """

    def __init__(
        self,
        network: Network,
        dataset: Dataset,
        settings: TrainSettings,
        *,
        seed: int,
        scaling: Scaling | None,
        observer: Observer,
        labels: Labels,
        folder: Path | None = None,
        checkpoint_seconds: float = 10.0,
        pace: Pace | None = None,
    ) -> None:
        self.network = network
        self.dataset = dataset
        self.settings = settings
        self.scaling = scaling
        self.observer = observer
        self.labels = labels
        self.keeper = Keeper(folder, checkpoint_seconds)
        self.pace = pace or Unhurried()
        self.loss = loss_for(dataset.schema.task, settings.loss)
        self.optimiser = Optimiser(network, settings)
        self.plateau = Plateau(settings.patience)
        self.state = _Progress()
        self.best = Best(dataset.metric)
        size = settings.batch_size
        self.train_batches = Loader.of(
            dataset, dataset.splits["train"], size, training=True, seed=derive(seed, "order")
        )
        self.val_batches = Loader.of(dataset, dataset.splits["val"], 2 * size)

    def run(self) -> Trained:
        """All epochs that are left; then the network carries its best weights."""
        state = self.keeper.found(self.observer)
        if state is not None:
            self._apply(state)
        while not self._done:
            self.advance()
        self.network.load_state_dict(self.best.weights)
        return Trained(
            self.network,
            self.best.epoch,
            self.best.metrics,
            self.state.seconds,
            self.state.peak_bytes,
            cut=self.state.end is not None,
        )

    def advance(self) -> None:
        """One epoch, and a checkpoint where one is due."""
        self.epoch()
        self.keeper.offer(self._snapshot, last=self._done)

    def few_steps(self, count: int) -> int:
        """Some steps and no more, to see how long they take; how many it were."""
        self._learn(count)
        return min(count, len(self.train_batches))

    def validate(self) -> Scores:
        """Loss and metrics over the validation set, with the weights as they are."""
        return evaluate(
            [self.network],
            self.val_batches.epoch(0),
            self.dataset.schema.task,
            self.loss,
            self.scaling,
        )

    @property
    def _last(self) -> int:
        """Epochs in all: those that were planned, or those before it was cut."""
        return self.settings.epochs if self.state.end is None else self.state.end

    @property
    def _done(self) -> bool:
        return self.state.epoch >= self._last

    @property
    def _name(self) -> str:
        return "training " + ", ".join(f"{name} {value}" for name, value in self.labels.items())

    def epoch(self) -> None:
        """One epoch: learn, validate, tell."""
        began = time.monotonic()
        before = self._snapshot()
        train_loss, lr = self._learn()
        if not math.isfinite(train_loss):
            self._go_back(before)
            return
        scores = self._judge()
        seconds = time.monotonic() - began
        self.state.seconds += seconds
        self.state.peak_bytes = max(self.state.peak_bytes, peak_bytes())
        value = scores.metrics[self.dataset.metric]
        self.observer.event(
            "train-epoch",
            **self.labels,
            epoch=self.state.epoch,
            lr=lr,
            train_loss=train_loss,
            val_loss=scores.loss,
            val_metric=value,
            seconds=seconds,
        )
        self.state.epoch += 1
        if not self._done and self.pace.ends(self.labels, self.state.epoch, seconds):
            self.state.end = self.state.epoch
        self.observer.progress(
            self._name,
            self.state.epoch,
            self._last,
            **{"loss": train_loss, self.dataset.metric: value, "best": self.best.value},
        )

    def _judge(self) -> Scores:
        """Validate, with averaged weights where they are averaged, and keep the best."""
        self.optimiser.swap()
        scores = self.validate()
        self.best.offer(self.network, self.state.epoch, scores)
        self.optimiser.swap()
        self.plateau.observe(scores.loss)
        return scores

    def _learn(self, most: int | None = None) -> tuple[float, float]:
        """One pass over the training set; (mean loss, last learning rate).

        The loss is NaN as soon as it, or a weight at the end, is not finite.
        """
        self.network.train()
        total = torch.zeros((), device=self.network.device)
        lr = self.settings.lr
        steps = len(self.train_batches)
        slowdown = Setbacks(self.state.setbacks).slowdown
        batches = feed(self.network, self.train_batches.epoch(self.state.epoch), self.scaling)
        for step, batch in enumerate(islice(batches, most)):
            progress = (self.state.epoch + step / steps) / self.settings.epochs
            lr = rate(self.settings, progress, self.plateau) * slowdown
            self.optimiser.zero_grad()
            loss = self.loss(self.network(batch), batch)
            if self.state.epoch == step == 0:
                begin_with_first_batch(self.network)
            if not math.isfinite(loss.item()):
                return math.nan, lr
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step(lr)
            total += loss.detach()
            # Holds what the kernels kept for the backward pass: the next step is to reuse it.
            del loss
        if not all(flat.finite for flat in self.optimiser.flats):
            return math.nan, lr
        return float(total) / max(steps, 1), lr

    def _go_back(self, before: State) -> None:
        after = Setbacks(self.state.setbacks).another(
            f"{self._name}, epoch {self.state.epoch}",
            "lower --lr or look at the data with `argnp data info`",
            self.observer,
        )
        self._apply(before)
        self.state.setbacks = after.count

    def _snapshot(self) -> State:
        return {
            "network": frozen(self.network.state_dict()),
            "optimiser": self.optimiser.state(),
            "plateau": vars(self.plateau).copy(),
            "progress": vars(self.state).copy(),
            "best": self.best.state(),
        }

    def _apply(self, state: State) -> None:
        self.network.load_state_dict(state["network"])
        self.optimiser.restore(state["optimiser"])
        self.plateau = Plateau(**state["plateau"])
        self.state = _Progress(**state["progress"])
        self.best = Best(**state["best"])
