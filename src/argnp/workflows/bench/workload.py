"""Data and networks that the benchmarks measure on: made here, the same everywhere."""

import random
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from argnp.arch import Architecture, Space, sample, undecided
from argnp.arch.divide import divide, growth
from argnp.data.dataset import Dataset, Split
from argnp.data.generators.make import generate
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding
from argnp.differentiate.round import Round
from argnp.differentiate.settings import SearchSettings
from argnp.kernels.core import Core
from argnp.nets.network import build
from argnp.nets.widths import Widths
from argnp.train.loop import Training
from argnp.train.observer import Observer, Silent
from argnp.train.settings import RECIPES, TrainSettings

WORKLOADS = ("molecules", "dense", "points")
DEFAULT = Widths()
PAPER: TrainSettings = RECIPES["paper"]


def molecules(graphs: int, seed: int = 0) -> Dataset:
    """Graphs of the size and shape of ZINC's: 23 or 24 atoms in chains that close rings.

    On average 23.46 nodes and 25.24 bonds, as the benchmark's batch of 128 with 3,003 nodes and
    3,231 bonds.
    """
    rng = np.random.default_rng(seed)
    nodes = 23 + (rng.random(graphs) < 0.46)
    pairs = []
    for n in nodes:
        tree = [(child, max(0, child - int(rng.integers(1, 4)))) for child in range(1, int(n))]
        rings = 2 + int(rng.random() < 0.78)
        starts = rng.choice(n - 6, size=rings, replace=False)
        pairs.append(np.array(tree + [(int(s), int(s) + 5) for s in starts]))
    counts = np.array([len(p) for p in pairs])
    edges = np.concatenate([np.concatenate([p, p[:, ::-1]]) for p in pairs])
    ptr = np.concatenate([[0], np.cumsum(nodes)]).astype(np.int64)
    bonds = np.concatenate([np.tile(rng.integers(0, 3, c), 2) for c in counts])
    raw = RawGraphs(
        node_ptr=ptr,
        edge_ptr=np.concatenate([[0], np.cumsum(2 * counts)]).astype(np.int64),
        edge_index=np.ascontiguousarray(edges.T.astype(np.int32)),
        x=rng.integers(0, 28, (int(ptr[-1]), 1)),
        edge_attr=bonds[:, None],
        y=rng.normal(size=(graphs, 1)),
        node_sizes=(28,),
        edge_sizes=(4,),
    )
    return ingest(raw, name="molecule-like graphs", encoding=Encoding("lap", 8), metric="mae")


def workload(name: str, batches: int, batch_size: int | None = None) -> "Bench":
    """Some batches of ``molecules`` (128 a batch), ``dense`` graphs or ``points`` (4 a batch).

    ``dense``: CLUSTER by its full recipe; ``points``: clouds of 1,024 points, directed relations
    from the 9 nearest neighbours of each.
    """
    size = batch_size or (128 if name == "molecules" else 4)
    # The generators' own splits, so that the training set has all the batches.
    counts = (batches * size, size, size)
    if name == "molecules":
        dataset = molecules(sum(counts))
        train, val, test = np.split(np.arange(sum(counts), dtype=np.int64), np.cumsum(counts)[:-1])
        splits: dict[Split, NDArray[np.int64]] = {"train": train, "val": val, "test": test}
        return Bench(replace(dataset, splits=splits), size)
    if name == "dense":
        return Bench(generate("cluster", counts), size)
    return Bench(generate("shapes", counts), size)


def last_supernet(size: int) -> Architecture:
    """The supernet of the round that ends with this size."""
    *_, before, _ = [0, *growth(size, Space().start_size)]
    if not before:
        return undecided(size)
    return divide(sample(before, random.Random(size)), size - before)


@dataclass(frozen=True)
class Bench:
    """A dataset and the batch size and widths to measure with."""

    dataset: Dataset
    batch_size: int
    widths: Widths = DEFAULT

    def search(
        self,
        supernet: Architecture,
        core: Core,
        *,
        epochs: int = 25,
        observer: Observer | None = None,
        folder: Path | None = None,
    ) -> Round:
        """A round whose steps are one of the alphas on one batch and one of w on another."""
        return Round(
            supernet,
            self.dataset,
            SearchSettings(batch_size=self.batch_size),
            PAPER,
            self.widths,
            epochs=epochs,
            seed=0,
            core=core,
            scaling=None,
            observer=observer or Silent(),
            labels={"search": 0, "round": 0},
            folder=folder,
        )

    def train(
        self,
        architecture: Architecture,
        core: Core,
        *,
        observer: Observer | None = None,
        labels: dict[str, int] | None = None,
        folder: Path | None = None,
    ) -> Training:
        """A training whose steps are forward, backward, clipping, Adam."""
        settings = TrainSettings(batch_size=self.batch_size, optimizer="adam", standardise=False)
        return Training(
            build(architecture, self.widths, self.dataset.schema, seed=0, core=core),
            self.dataset,
            settings,
            seed=0,
            scaling=None,
            observer=observer or Silent(),
            labels=labels or {},
            folder=folder,
        )
