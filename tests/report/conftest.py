"""Runs that never happened: journals and files as a real run would leave them."""

import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from argnp.arch import Architecture, Link, Space, undecided
from argnp.arch.codec import to_dict
from argnp.arch.divide import divide, growth
from argnp.runs.folder import RunFolder
from argnp.runs.journal import Journal

MakeRun = Callable[..., Path]


class Fabricator:
    """Writes the journal of a greedy search with proliferation and of its trainings."""

    def __init__(self, journal: Journal, rng: random.Random, space: Space) -> None:
        self.journal, self.rng, self.space = journal, rng, space

    def search(self, number: int, size: int) -> None:
        architecture: Architecture | None = None
        for index, reached in enumerate(growth(size, 2)):
            start = (
                undecided(reached, self.space)
                if architecture is None
                else divide(architecture, reached - len(architecture))
            )
            labels = {"search": number, "round": index}
            self.journal.append(
                "round-start", **labels, size=reached, architecture=to_dict(start), parameters=9000
            )
            architecture = self._decide(start, labels)
            self.journal.append(
                "round-end",
                **labels,
                size=reached,
                architecture=to_dict(architecture),
                seconds=3.5 * reached,
                peak_bytes=200_000_000 * reached,
            )

    def _decide(self, current: Architecture, labels: dict[str, int]) -> Architecture:
        epoch = 0
        while current.mixtures():
            for _ in range(3):
                self.journal.append(
                    "search-epoch",
                    **labels,
                    epoch=epoch,
                    loss=1.2 * math.exp(-epoch / 9) + self.rng.random() / 20,
                    alpha_loss=1.3 * math.exp(-epoch / 10) + self.rng.random() / 16,
                    val_metric=None,
                    seconds=0.4,
                    alphas={name: self._alphas(current, name) for name in self.space.names},
                )
                epoch += 1
            for name in self.space.names:
                current = self._take(current, name, epoch, labels)
        return current

    def _alphas(self, current: Architecture, name: Any) -> list[tuple[int, int, list[float]]]:
        rows = []
        for place in current.mixtures(name):
            raw = [self.rng.random() ** 2 + 0.05 for _ in self.space.operations(name)]
            rows.append((place.vertex, place.link, [value / sum(raw) for value in raw]))
        return rows

    def _take(
        self, current: Architecture, name: Any, epoch: int, labels: dict[str, int]
    ) -> Architecture:
        places = current.mixtures(name)
        if not places:
            return current
        place = self.rng.choice(places)
        links = list(current.vertex(place.vertex).links(name))
        source, operation = links[place.link].source, self.rng.choice(self.space.choices(name))
        self.journal.append(
            "decision",
            **labels,
            epoch=epoch,
            **place._asdict(),
            source=source,
            operation=operation,
            score=self.rng.random(),
        )
        links[place.link] = Link(source, operation)
        if sum(link.decided for link in links) == self.space.inputs:
            links = [link for link in links if link.decided]
        return current.with_links(name, place.vertex, tuple(links))

    def train(self, search: int, size: int, seed: int, epochs: int, metric: str) -> None:
        labels = {"search": search, "size": size, "seed": seed}
        self.journal.append("train-start", **labels, parameters=38_000 * size)
        best = 0.9 - 0.02 * size + self.rng.random() / 20
        for epoch in range(epochs):
            fall = math.exp(-epoch / 8)
            self.journal.append(
                "train-epoch",
                **labels,
                epoch=epoch,
                lr=1e-3 * 0.97**epoch,
                train_loss=0.1 + fall,
                val_loss=0.2 + fall + self.rng.random() / 20,
                val_metric=best + fall + self.rng.random() / 30,
                seconds=0.5,
            )
        self.journal.append(
            "train-end",
            **labels,
            best_epoch=epochs - 2,
            metrics={metric: best, "r2": 0.8},
            seconds=0.5 * epochs,
            peak_bytes=350_000_000,
        )


DATA = {
    "name": "esol.csv",
    "task": "graph-regression",
    "graphs": 1128,
    "nodes": {"mean": 13.29, "largest": 55},
    "relations": {"mode": "undirected", "mean": 27.35, "largest": 124},
    "splits": {"train": 902, "val": 113, "test": 113},
    "notes": ["every edge has its equal reverse: relations are undirected"],
    "warnings": ["molecules.csv, row 17: <no molecule>, dropped"],
}

TEST_RMSE = 0.65  # of the fixture ``extras``


@pytest.fixture(scope="session")
def make_run(tmp_path_factory: pytest.TempPathFactory) -> MakeRun:
    """Make a run folder: ``size`` reached, trainings of every size, tests of the last."""

    def make(
        size: int = 8,
        *,
        searches: int = 1,
        seeds: int = 1,
        finished: bool = True,
        space: Space | None = None,
        extras: dict[str, Any] | None = None,
        data: dict[str, Any] | None = None,
        seed: int = 1,
    ) -> Path:
        folder = RunFolder(tmp_path_factory.mktemp("runs") / "esol-sgas")
        folder.path.mkdir()
        folder.data.write_text(json.dumps(DATA if data is None else data))
        rng = random.Random(seed)
        with Journal(folder.journal) as journal:
            _write(journal, rng, size, searches, seeds, finished, space or Space())
        for name, value in (extras or {}).items():
            (folder.path / "report").mkdir(exist_ok=True)
            (folder.path / "report" / f"{name}.json").write_text(json.dumps(value))
        return folder.path

    return make


def _write(
    journal: Journal,
    rng: random.Random,
    size: int,
    searches: int,
    seeds: int,
    finished: bool,
    space: Space,
) -> None:
    journal.append(
        "run-start",
        settings={
            "metric": "rmse",
            "higher_is_better": False,
            "data": {"data": "esol.csv", "target": ["logS"]},
            "search": {"strategy": "sgas", "w_lr": 0.025},
            "size": size,
        },
        fingerprint="8d1f",
        kernels="fused",
        version="0.1.0",
        command=["argnp", "fit", "esol.csv", "--size", str(size)],
    )
    sizes = growth(size, 2)
    journal.append(
        "plan",
        rounds=[{"size": one, "epochs": 25} for one in sizes],
        train_epochs=40,
        reason="a step takes 21 ms; the budget is 300 s",
    )
    maker = Fabricator(journal, rng, space)
    for search in range(searches):
        maker.search(search, size)
    if not finished:
        return
    for search in range(searches):
        for one in sizes:
            for seed in range(seeds):
                maker.train(search, one, seed, 40, "rmse")
    journal.append("selected", search=0, size=size, seed=0, rule="lowest validation rmse")
    for search in range(searches):
        for seed in range(seeds):
            spread = 0.0 if searches * seeds == 1 else rng.gauss(0, 0.02)
            journal.append(
                "test",
                search=search,
                size=size,
                seed=seed,
                metrics={"rmse": TEST_RMSE + spread, "mae": 0.5178, "r2": 0.91},
                count=113,
            )
    journal.append("run-end", seconds=287.0)


@pytest.fixture(scope="session")
def extras() -> dict[str, Any]:
    """Predictions, features of a point cloud, and an explained molecule."""
    rng = random.Random(2)
    truth: list[float | None] = [rng.gauss(-3, 2) for _ in range(113)]
    prediction = [(value or 0) + rng.gauss(0, 0.7) for value in truth]
    points = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(300)]
    pairs = [[i, rng.randrange(300)] for i in range(300) for _ in range(4)]
    ring = [[math.cos(k), math.sin(k)] for k in (0, 1.05, 2.1, 3.14, 4.19, 5.24)]
    return {
        "predictions": {
            "kind": "regression",
            "columns": [{"name": "logS", "truth": truth, "prediction": prediction}],
        },
        "features": {
            "kind": "points",
            "examples": [
                {
                    "title": "chair 7",
                    "positions": points,
                    "relations": pairs,
                    "vertices": [
                        {
                            "name": f"V_{n}/E_{n}",
                            "node": [p[n % 3] for p in points],
                            "relation": [points[s][0] - points[t][1] for s, t in pairs],
                        }
                        for n in range(1, 5)
                    ],
                }
            ],
        },
        "explain": {
            "method": "Occlusion: how far the prediction moves without the node",
            "examples": [
                {
                    "title": "c1ccccc1",
                    "truth": -2.1,
                    "prediction": -1.9,
                    "positions": ring,
                    "labels": ["C", "C", "O", "C", "N", "C"],
                    "relations": [[k, (k + 1) % 6] for k in range(6)],
                    "node_importance": [0.1, -0.4, 0.9, 0.2, 0.0, 0.3],
                    "relation_importance": [0.2, 0.8, -0.3, 0.1, 0.0, 0.5],
                }
            ],
        },
    }
