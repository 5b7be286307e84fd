"""``argnp bench epoch``: what an epoch takes besides its steps."""

import io
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch

from argnp.arch import sample
from argnp.data.batch import GraphBatch
from argnp.nets.cores import choose
from argnp.runs.journal import Journal
from argnp.train.evaluate import feed
from argnp.train.loop import Training
from argnp.workflows.bench.clock import interleaved
from argnp.workflows.bench.speed import named
from argnp.workflows.bench.workload import workload
from argnp.workflows.console import Plain
from argnp.workflows.observer import RunObserver
from argnp.workflows.outcome import Outcome, table

_BATCHES = 16  # of training; one of validation


def epoch_command(sizes: list[int], path: str, rounds: int, batch_size: int) -> Outcome:
    """Whole epochs of training beside their bare steps, taken in turns.

    A bare step is forward, backward, clipping and the optimiser on a batch that is there, and
    forward on one of validation. The whole epoch adds what a run adds: batches cut from the store
    in a new order, targets scaled, metrics over the whole set, the best weights kept, the journal
    on disk and the progress lines.
    """
    bench = workload("molecules", _BATCHES, batch_size)
    core = choose(named(path)).core
    rows, values = [], []
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.jsonl") as log:
        for size in sizes:
            observer = RunObserver(Plain(io.StringIO(), every=0.0), log)
            labels = {"search": 0, "size": size, "seed": 0}
            whole = bench.train(
                sample(size, random.Random(size)), core, observer=observer, labels=labels
            )
            bare = bench.train(sample(size, random.Random(size)), core)
            seconds = interleaved({"whole": whole.epoch, "bare": _steps(bare)}, rounds)
            ratio = seconds["whole"] / seconds["bare"]
            rows.append(
                [
                    f"train {size}, {path}",
                    f"{ratio:.3f}",
                    f"{1e3 * seconds['whole']:.0f}",
                    f"{1e3 * seconds['bare']:.0f}",
                ]
            )
            values.append({"size": size, "kernels": path, "ratio": ratio, **seconds})
    head = ["epoch", "whole / bare", "whole ms", "bare ms"]
    return Outcome(table(head, rows), {"epochs": values})


def _steps(training: Training) -> Callable[[], None]:
    """The bare steps of an epoch, on batches made beforehand."""
    network, optimiser = training.network, training.optimiser
    learned = list(feed(network, training.train_batches.epoch(0), training.scaling))
    judged = list(training.val_batches.epoch(0))

    def learn(batch: GraphBatch) -> None:
        optimiser.zero_grad()
        loss = training.loss(network(batch), batch)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step(1e-3)

    def steps() -> None:
        network.train()
        for batch in learned:
            learn(batch)
        network.eval()
        with torch.inference_mode():
            for batch in judged:
                network(batch)

    return steps
