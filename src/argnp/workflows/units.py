"""The pieces of work a run is made of: a search, a training, a test."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from argnp.arch import Architecture
from argnp.data.dataset import Split
from argnp.data.loader import Loader
from argnp.heads.losses import loss_for
from argnp.nets.network import Network
from argnp.runs.files import clear_disk_errors, write_whole
from argnp.train.evaluate import Scores, evaluate
from argnp.train.loop import Training
from argnp.train.memory import reset_peak
from argnp.train.seeds import derive
from argnp.workflows.context import Context
from argnp.workflows.variants import AS_SET


@dataclass(frozen=True)
class Candidate:
    """A trained network; ``metrics`` are those of its best epoch on the validation set.

    ``cut``: the time budget ended it before its last epoch.
    """

    architecture: Architecture
    network: Network
    search: int
    seed: int
    metrics: dict[str, float]
    parameters: int
    seconds: float
    variant: str = AS_SET
    cut: bool = False

    @property
    def size(self) -> int:
        return self.architecture.size


def train(
    context: Context, architecture: Architecture, *, search: int, seed: int, epochs: int
) -> Candidate | None:
    """Train one network, or go on where its folder left off; None where there is no time."""
    reset_peak()
    place = (search, architecture.size, seed, context.variant)
    labels: dict[str, int | str] = {"search": search, "size": architecture.size, "seed": seed}
    if context.variant:
        labels["variant"] = context.variant
    if context.pace.skips(labels):
        return None
    folder = context.folder.training(*place) if context.folder else None
    if folder is not None:
        with clear_disk_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
    network = context.network(architecture, derive(search, architecture.size, seed))
    parameters = sum(p.numel() for p in network.parameters())
    context.observer.event("train-start", **labels, parameters=parameters, epochs=epochs)
    trained = Training(
        network,
        context.dataset,
        msgspec.structs.replace(context.settings.train, epochs=epochs),
        seed=derive(context.settings.seed, "training", search, architecture.size, seed),
        scaling=context.scaling,
        observer=context.observer,
        labels=labels,
        folder=folder,
        checkpoint_seconds=context.checkpoint_seconds,
        pace=context.pace,
    ).run()
    context.observer.event(
        "train-end",
        **labels,
        best_epoch=trained.best_epoch,
        metrics=trained.metrics,
        seconds=trained.seconds,
        peak_bytes=trained.peak_bytes,
    )
    if context.folder is not None:
        metrics = msgspec.json.format(msgspec.json.encode(trained.metrics), indent=2)
        write_whole(context.folder.metrics(*place), metrics + b"\n")
    return Candidate(
        architecture=architecture,
        network=trained.network,
        search=search,
        seed=seed,
        metrics=trained.metrics,
        parameters=parameters,
        seconds=trained.seconds,
        variant=context.variant,
        cut=trained.cut,
    )


def judge(context: Context, candidates: Sequence[Candidate], split: Split) -> Scores:
    """One network, or several that predict as one, over a split."""
    dataset = context.dataset
    return evaluate(
        [candidate.network for candidate in candidates],
        Loader.of(dataset, dataset.splits[split], 2 * context.settings.train.batch_size).epoch(0),
        dataset.schema.task,
        loss_for(dataset.schema.task, context.settings.train.loss),
        context.scaling,
    )


def test(context: Context, candidates: Sequence[Candidate]) -> Scores:
    """The one reading of the test set by what validation has chosen."""
    scores = judge(context, candidates, "test")
    context.observer.event(
        "test",
        search=candidates[0].search,
        size=candidates[0].size,
        seed=candidates[0].seed,
        metrics=scores.metrics,
        count=len(context.dataset.splits["test"]),
        networks=len(candidates),
    )
    return scores
