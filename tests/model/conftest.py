"""Small networks with settled running statistics, packaged."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from argnp.arch import Architecture, Space, sample
from argnp.data.dataset import Dataset
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding
from argnp.heads.scaling import Scaling
from argnp.model.save import save_model
from argnp.nets.network import Network, build
from argnp.nets.widths import Widths

WIDTHS = Widths(6, 5, 7, 4)


@dataclass(frozen=True)
class Packaged:
    """What was packaged, and where."""

    folder: Path
    dataset: Dataset
    networks: list[Network]
    architecture: Architecture
    scaling: Scaling | None


def _networks(dataset: Dataset, count: int, architecture: Architecture) -> list[Network]:
    """Of different seeds, each having seen a few graphs, so that statistics are not 0 and 1."""
    networks = []
    for seed in range(count):
        network = build(architecture, WIDTHS, dataset.schema, seed=seed)
        network.train()(dataset.source.batch(np.arange(len(dataset.source))))
        networks.append(network.eval())
    return networks


def _package(
    dataset: Dataset, folder: Path, *, seeds: int = 1, size: int = 2, **more: Any
) -> Packaged:
    relations = dataset.schema.relations != "off"
    architecture = sample(size, random.Random(1), Space(relations=relations))
    networks = _networks(dataset, seeds, architecture)
    outputs = dataset.schema.task.outputs
    scaling = None
    if dataset.schema.task.kind == "regression":
        scaling = Scaling(mean=(3.0,) * outputs, std=(2.0,) * outputs)
    save_model(
        folder,
        networks,
        architecture=architecture,
        widths=WIDTHS,
        schema=dataset.schema,
        metric=dataset.metric,
        name=dataset.name,
        scaling=scaling,
        validation={dataset.metric: 0.5},
        test={dataset.metric: 0.625},
        **more,
    )
    return Packaged(folder, dataset, networks, architecture, scaling)


def _raw(
    seed: int = 0, graphs: int = 12, *, level: str = "graph", classes: int = 0, floats: bool = False
) -> RawGraphs:
    """Symmetric graphs with codes (or numbers) on nodes and a code per edge."""
    rng = np.random.default_rng(seed)
    nodes = rng.integers(3, 8, graphs)
    ends, codes, counts = [], [], []
    for n in nodes:
        s, t = np.triu_indices(n, 1)
        chosen = rng.random(len(s)) < 0.5
        s, t, code = s[chosen], t[chosen], rng.integers(0, 3, int(chosen.sum()))
        order = rng.permutation(2 * len(s))
        ends.append(np.stack([np.r_[s, t], np.r_[t, s]])[:, order])
        codes.append(np.r_[code, code][order])
        counts.append(2 * len(s))
    total, edges = int(nodes.sum()), int(sum(counts))
    x = rng.normal(size=(total, 2)) if floats else rng.integers(0, 4, (total, 2))
    attr = np.concatenate(codes)[:, None]
    rows = {"graph": graphs, "node": total, "edge": edges}[level]
    y = rng.integers(0, classes, rows) if classes else rng.normal(size=rows)
    if level == "edge":
        y = attr[:, 0] % 2 if classes else attr[:, 0] + 0.5
    return RawGraphs(
        np.r_[0, np.cumsum(nodes)],
        np.r_[0, np.cumsum(counts)],
        np.concatenate(ends, axis=1).astype(np.int32),
        x.astype(np.float32) if floats else x,
        attr,
        y=y,
        level=level,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def raw_graphs() -> Callable[..., RawGraphs]:
    return _raw


@pytest.fixture(scope="session")
def package() -> Callable[..., Packaged]:
    return _package


@pytest.fixture
def packaged(tmp_path: Path) -> Packaged:
    """Three trainings of a graph regression with an encoding, relations undirected."""
    dataset = ingest(_raw(), name="rings", encoding=Encoding("rwse", 3))
    assert dataset.schema.relations == "undirected"
    return _package(dataset, tmp_path / "model", seeds=3)
