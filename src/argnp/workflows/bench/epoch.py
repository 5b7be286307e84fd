"""``argnp bench epoch``: what an epoch takes besides its steps."""

import io
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch

from argnp.arch import sample
from argnp.data.batch import GraphBatch
from argnp.differentiate.settings import SearchSettings, round_epochs
from argnp.kernels.core import Core
from argnp.nets.cores import choose
from argnp.runs.journal import Journal
from argnp.train.evaluate import feed
from argnp.train.loop import Training
from argnp.train.observer import Observer
from argnp.workflows.bench.clock import interleaved
from argnp.workflows.bench.speed import named
from argnp.workflows.bench.workload import Bench, last_supernet, workload
from argnp.workflows.console import Plain
from argnp.workflows.observer import RunObserver
from argnp.workflows.outcome import Outcome, table

_BATCHES = 16  # of training; one of validation

Work = Callable[[], object]


def epoch_command(sizes: list[int], path: str, rounds: int, batch_size: int) -> Outcome:
    """Whole epochs of search and training beside their bare steps, taken in turns.

    A bare step of training is forward, backward, clipping and the optimiser on a batch that is
    there, and forward on one of validation; one of the search is a step of the alphas and one of
    the weights. The whole epoch adds what a run adds: batches cut from the store in a new order,
    targets scaled, metrics over the whole set, the best weights kept; the table of alphas and
    what decisions rest on; the state to go back to, checkpoints as often as in a run, the journal
    on disk and the progress lines. No link is decided meanwhile: that makes later steps cheaper.
    """
    bench = workload("molecules", _BATCHES, batch_size)
    core = choose(named(path)).core
    rows, values = [], []
    with tempfile.TemporaryDirectory() as name, Journal(Path(name) / "journal.jsonl") as log:
        observer = RunObserver(Plain(io.StringIO(), every=0.0), log)
        for size in sizes:
            folder = Path(name) / str(size)
            for kind, (whole, bare) in (
                ("search", _search(bench, size, core, rounds, observer, folder / "search")),
                ("train", _train(bench, size, core, observer, folder / "train")),
            ):
                seconds = interleaved({"whole": whole, "bare": bare}, rounds)
                ratio = seconds["whole"] / seconds["bare"]
                rows.append(
                    [
                        f"{kind} {size}, {path}",
                        f"{ratio:.3f}",
                        f"{1e3 * seconds['whole']:.0f}",
                        f"{1e3 * seconds['bare']:.0f}",
                    ]
                )
                about = {"step": kind, "size": size, "kernels": path}
                values.append({**about, "ratio": ratio, **seconds})
    head = ["epoch", "whole / bare", "whole ms", "bare ms"]
    return Outcome(table(head, rows), {"epochs": values})


def _search(
    bench: Bench, size: int, core: Core, rounds: int, observer: Observer, folder: Path
) -> tuple[Work, Work]:
    supernet = last_supernet(size)
    # The first decision falls after a share of the epochs; so many that it is not reached.
    epochs = (rounds + 2) * round_epochs(supernet, SearchSettings())
    whole = bench.search(supernet, core, epochs=epochs, observer=observer, folder=folder)
    bare = bench.search(supernet, core, epochs=epochs)
    pairs = list(bare.batches.epoch(0))
    return whole.advance, lambda: bare.levels.learn(pairs, bare.settings.w_lr)


def _train(
    bench: Bench, size: int, core: Core, observer: Observer, folder: Path
) -> tuple[Work, Work]:
    network = sample(size, random.Random(size))
    labels = {"search": 0, "size": size, "seed": 0}
    whole = bench.train(network, core, observer=observer, labels=labels, folder=folder)
    return whole.advance, _steps(bench.train(network, core))


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
