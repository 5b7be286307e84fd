"""One round of the search: a supernet is trained until each of its links is one operation."""

import math
import time
from itertools import islice
from pathlib import Path

from argnp.arch import Architecture
from argnp.data.dataset import Dataset
from argnp.differentiate.decide import Decision
from argnp.differentiate.deciding import Deciding
from argnp.differentiate.halves import HalfBatches
from argnp.differentiate.levels import Levels
from argnp.differentiate.settings import SearchSettings, decision_epochs, decisions
from argnp.differentiate.strategies import strategy
from argnp.heads.scaling import Scaling
from argnp.kernels.core import Core
from argnp.nets.widths import Widths
from argnp.train.memory import peak_bytes
from argnp.train.observer import Observer
from argnp.train.pace import Pace, Unhurried
from argnp.train.schedule import cosine
from argnp.train.setbacks import Setbacks
from argnp.train.settings import TrainSettings
from argnp.train.state import Keeper, State


class Round:
    """Network differentiation: from an architecture with mixture links to a decided one.

    ``folder`` None: no checkpoints. The same settings, data and seed give the same
    architecture, whether or not the process was killed in between.
    """

    def __init__(
        self,
        supernet: Architecture,
        dataset: Dataset,
        settings: SearchSettings,
        training: TrainSettings,
        widths: Widths,
        *,
        epochs: int,
        seed: int,
        core: Core,
        scaling: Scaling | None,
        observer: Observer,
        labels: dict[str, int],
        folder: Path | None = None,
        checkpoint_seconds: float = 10.0,
        device: str = "cpu",
        pace: Pace | None = None,
    ) -> None:
        chosen = strategy(settings.strategy)
        if chosen.update is None:
            raise ValueError(f"strategy {settings.strategy!r} trains nothing")
        self.settings, self.observer, self.labels = settings, observer, labels
        self.keeper = Keeper(folder, checkpoint_seconds)
        self.pace = pace or Unhurried()
        self.batches = HalfBatches(dataset, settings.batch_size, seed)
        self.levels = Levels(
            supernet,
            dataset,
            settings,
            training,
            widths,
            chosen.update,
            chosen.weighting,
            seed=seed,
            core=core,
            scaling=scaling,
            device=device,
        )
        self.deciding = Deciding(
            supernet,
            self.levels.alphas,
            chosen.criterion,
            decision_epochs(decisions(supernet), epochs, settings),
            settings.window,
        )
        self.epochs = epochs
        self.epoch = 0
        self.setbacks = Setbacks()
        self.seconds = 0.0
        self.peak_bytes = 0

    @property
    def parameters(self) -> int:
        """Weights of the supernet."""
        return self.levels.w.data.numel()

    @property
    def architecture(self) -> Architecture:
        """As it stands now."""
        return self.deciding.architecture

    def run(self) -> Architecture:
        """All epochs that are left, and their decisions."""
        state = self.keeper.found(self.observer)
        if state is not None:
            self._apply(state)
        while self.epoch < self.epochs:
            self.advance()
        return self.architecture

    def advance(self) -> None:
        """One epoch, its decisions, and a checkpoint where one is due."""
        self._epoch()
        self.keeper.offer(self._snapshot, last=self.epoch == self.epochs)

    def few_steps(self, count: int) -> int:
        """Some steps and no more, to see how long they take; how many it were."""
        self.levels.learn(islice(self.batches.epoch(self.epoch), count), self.settings.w_lr)
        return min(count, len(self.batches))

    @property
    def _name(self) -> str:
        return f"search {self.labels['search']}, round {self.labels['round']}"

    def _epoch(self) -> None:
        began = time.monotonic()
        before = self._snapshot()
        rate = self.setbacks.slowdown * cosine(
            self.epoch, self.epochs, self.settings.w_lr, self.settings.w_final_lr
        )
        w_loss, alpha_loss = self.levels.learn(self.batches.epoch(self.epoch), rate)
        if not (math.isfinite(w_loss) and math.isfinite(alpha_loss)):
            self._go_back(before)
            return
        seconds = time.monotonic() - began
        self.seconds += seconds
        self.peak_bytes = max(self.peak_bytes, peak_bytes())
        self.observer.event(
            "search-epoch",
            **self.labels,
            epoch=self.epoch,
            loss=w_loss,
            alpha_loss=alpha_loss,
            val_metric=None,
            seconds=seconds,
            alphas=self.levels.alphas.table(self.architecture),
        )
        self.epoch += 1
        if self.epoch < self.epochs and self.pace.ends(self.labels, self.epoch, seconds):
            self.epochs = self.epoch  # the rest is decided as the alphas stand
        for decision in self.deciding.after(self.epoch, last=self.epoch == self.epochs):
            self._tell(decision)
        self.levels.adopt(self.architecture)
        self.observer.progress(
            self._name,
            self.epoch,
            self.epochs,
            loss=w_loss,
            undecided=len(self.architecture.mixtures()),
        )

    def _tell(self, decision: Decision) -> None:
        self.observer.event(
            "decision",
            **self.labels,
            epoch=self.epoch,
            **decision.place._asdict(),
            source=decision.source,
            operation=decision.operation,
            score=decision.score,
        )

    def _go_back(self, before: State) -> None:
        after = self.setbacks.another(
            f"{self._name}, epoch {self.epoch}",
            "look at the data with `argnp data info`, or lower the rate with "
            "--set search.w_lr=0.01",
            self.observer,
        )
        self._apply(before)
        self.setbacks = after

    def _snapshot(self) -> State:
        return {
            "levels": self.levels.state(),
            "deciding": self.deciding.state(),
            "epoch": self.epoch,
            "epochs": self.epochs,
            "setbacks": self.setbacks.count,
            "seconds": self.seconds,
            "peak_bytes": self.peak_bytes,
        }

    def _apply(self, state: State) -> None:
        self.levels.restore(state["levels"])
        self.deciding.restore(state["deciding"])
        self.levels.adopt(self.architecture)
        self.epoch, self.epochs = state["epoch"], state["epochs"]
        self.setbacks = Setbacks(state["setbacks"])
        self.seconds, self.peak_bytes = state["seconds"], state["peak_bytes"]
