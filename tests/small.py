"""Small data and small networks, on which searching and training take a moment."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from argnp.arch import Space, sample
from argnp.data.dataset import Dataset
from argnp.data.generators.make import generate
from argnp.data.schema import Encoding
from argnp.differentiate.settings import SearchSettings
from argnp.nets.cores import choose
from argnp.nets.network import build
from argnp.nets.widths import Widths
from argnp.proliferate.grow import Search
from argnp.train.loop import Training
from argnp.train.seeds import python_random
from argnp.train.settings import TrainSettings

WIDTHS = Widths(6, 4, 6, 4)
TRAINING = TrainSettings(epochs=5, batch_size=6, lr=0.01)
SEARCHING = SearchSettings(epochs=4, batch_size=6)


class Recorder:
    """Remembers all events; ``at`` is called before each one."""

    def __init__(self, at: Callable[[str, dict[str, Any]], None] | None = None) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.shown: list[tuple[str, int, int]] = []
        self.at = at

    def event(self, name: str, **fields: Any) -> None:
        if self.at is not None:
            self.at(name, fields)
        self.events.append((name, fields))

    def progress(self, what: str, done: int, total: int, **shown: float) -> None:
        self.shown.append((what, done, total))

    def of(self, name: str) -> list[dict[str, Any]]:
        return [fields for event, fields in self.events if event == name]


@lru_cache
def small_data(relations: str = "auto", graphs: tuple[int, int, int] = (12, 6, 6)) -> Dataset:
    """Three communities of two to four nodes, to be told apart."""
    return generate(
        "cluster",
        graphs,
        parameters={"communities": 3, "smallest": 2, "largest": 4},
        relations=relations,
        encoding=Encoding("rwse", 3),
    )


def small_training(
    folder: Path | None = None, observer: Any = None, dataset: Dataset | None = None, **changes: Any
) -> Training:
    """A training of a random network of two vertices; ``changes`` are settings, or ``pace``."""
    pace = changes.pop("pace", None)
    settings = msgspec.structs.replace(TRAINING, **changes)
    dataset = dataset or small_data()
    network = build(
        sample(2, python_random(0), Space()),
        WIDTHS,
        dataset.schema,
        seed=1,
        dropout=settings.dropout,
        core=choose("torch").core,
    )
    return Training(
        network,
        dataset,
        settings,
        seed=3,
        scaling=None,
        observer=observer or Recorder(),
        labels={"search": 0, "size": 2, "seed": 0},
        folder=folder,
        checkpoint_seconds=0.0,
        pace=pace,
    )


def small_search(
    space: Space | None = None,
    observer: Any = None,
    seed: int = 0,
    relations: str = "auto",
    **changes: Any,
) -> Search:
    """A search with small supernets; ``changes`` are settings, or ``pace``."""
    pace = {"pace": changes.pop("pace")} if "pace" in changes else {}
    return Search(
        dataset=small_data(relations),
        space=space or Space(relations=relations != "off"),
        settings=msgspec.structs.replace(SEARCHING, **changes),
        training=TRAINING,
        widths=WIDTHS,
        seed=seed,
        core=choose("torch").core,
        scaling=None,
        observer=observer or Recorder(),
        checkpoint_seconds=0.0,
        **pace,
    )
