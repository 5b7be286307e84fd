"""What every part of a run needs, made once from settings and data."""

from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import numpy as np
import torch

from argnp.arch import Architecture, Space, sample
from argnp.data import info
from argnp.data.dataset import Dataset
from argnp.data.info import WARNING
from argnp.data.loader import Loader
from argnp.errors import UserError
from argnp.heads.scaling import Scaling
from argnp.kernels.core import Core
from argnp.nets.cores import choose
from argnp.nets.network import Network, build
from argnp.nets.widths import Widths, solve_widths
from argnp.proliferate.grow import Search
from argnp.runs.folder import RunFolder
from argnp.train.observer import Observer
from argnp.train.pace import Pace, Unhurried
from argnp.train.seeds import derive, python_random
from argnp.workflows.batches import with_batches
from argnp.workflows.settings import Settings
from argnp.workflows.variants import AS_SET, varied

_SCALED = 128  # graphs whose targets are looked at together


@dataclass(frozen=True)
class Context:
    """A run in the making. ``folder`` None: nothing is kept on the disk."""

    settings: Settings
    dataset: Dataset
    space: Space
    core: Core
    scaling: Scaling | None
    observer: Observer
    folder: RunFolder | None = None
    checkpoint_seconds: float = 10.0
    device: str = "cpu"
    pace: Pace = field(default_factory=Unhurried)
    variant: str = AS_SET

    def varied(self, name: str) -> "Context":
        """The context of trainings with other widths or regularisation."""
        return replace(self, settings=varied(self.settings, name), variant=name)

    @property
    def search(self) -> Search:
        return Search(
            dataset=self.dataset,
            space=self.space,
            settings=self.settings.search,
            training=self.settings.train,
            widths=self.widths(None),
            seed=self.settings.seed,
            core=self.core,
            scaling=self.scaling,
            observer=self.observer,
            checkpoint_seconds=self.checkpoint_seconds,
            device=self.device,
            pace=self.pace,
        )

    def widths(self, architecture: Architecture | None) -> Widths:
        """The widths of a network: as set, or solved for the budget of weights.

        A search has no architecture yet; it takes those of a random one of the final size.
        """
        settings = self.settings
        if not settings.params:
            return settings.widths
        if architecture is None:
            vertices = settings.size // self.space.cells
            architecture = sample(vertices, python_random(0), self.space)
        try:
            return solve_widths(
                settings.params,
                architecture,
                self.dataset.schema,
                settings.widths,
                encoder_norm=settings.train.encoder_norm,
            )
        except ValueError as error:
            raise UserError(f"--params: {error}") from None

    def network(self, architecture: Architecture, seed: int) -> Network:
        """A fresh network of this architecture; its weights depend on the seed alone."""
        train = self.settings.train
        return build(
            architecture,
            self.widths(architecture),
            self.dataset.schema,
            seed=derive(self.settings.seed, "train", seed),
            dropout=train.dropout,
            readout=train.readout,
            encoder_norm=train.encoder_norm,
            core=self.core,
            device=self.device,
        )


def make_context(
    settings: Settings,
    dataset: Dataset,
    observer: Observer,
    folder: RunFolder | None = None,
    *,
    checkpoint_seconds: float = 10.0,
) -> tuple[Context, str]:
    """The context, and the line that says which kernels it runs on."""
    settings = with_batches(settings, dataset)
    device = pick_device(settings.device)
    chosen = choose(settings.kernels)
    context = Context(
        settings=settings,
        dataset=dataset,
        space=settings.space.space(relations=dataset.schema.relations != "off"),
        core=chosen.core,
        scaling=fit_scaling(dataset) if settings.train.standardise else None,
        observer=observer,
        folder=folder,
        checkpoint_seconds=checkpoint_seconds,
        device=device,
    )
    return context, chosen.reason if device == "cpu" else f"torch kernels on {device}"


def pick_device(name: str) -> str:
    """``auto`` is a GPU where torch sees one."""
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError) as error:
        raise UserError(f"--device {name}: {str(error).splitlines()[0]}") from None
    return name


def fit_scaling(dataset: Dataset) -> Scaling | None:
    """Mean and deviation of the training targets; None where targets are no numbers."""
    if dataset.schema.task.kind != "regression":
        return None
    targets, weights = [], []
    # Batches are let go one by one: all features together may be more than memory holds.
    for batch in Loader.of(dataset, dataset.splits["train"], _SCALED).epoch(0):
        if batch.target is not None:
            one = torch.ones_like(batch.target)
            targets.append(batch.target)
            weights.append(one if batch.weight is None else one * batch.weight)
    return Scaling.fit(torch.cat(targets), torch.cat(weights))


def describe(dataset: Dataset) -> dict[str, Any]:
    """What data.json holds: enough to say what the run saw, and to notice other data."""
    nodes, relations = dataset.source.sizes()
    return {
        "name": dataset.name,
        "fingerprint": dataset.fingerprint,
        "task": dataset.schema.task.name,
        "metric": dataset.metric,
        "graphs": len(dataset.source),
        "nodes": {"mean": float(np.mean(nodes)), "largest": int(nodes.max(initial=0))},
        "relations": {
            "mode": dataset.schema.relations,
            "mean": float(np.mean(relations)),
            "largest": int(relations.max(initial=0)),
        },
        "splits": {name: len(items) for name, items in dataset.splits.items()},
        "schema": msgspec.to_builtins(dataset.schema),
        "warnings": [f.text for f in info.describe(dataset).findings if f.severity == "warning"],
        "notes": [note for note in dataset.notes if not note.startswith(WARNING)],
    }
