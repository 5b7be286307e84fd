"""From what a user typed, or handed over, to a dataset."""

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from argnp.data.benchmarks.named import is_named, load_named, names, splits_are_drawn
from argnp.data.dataset import Dataset
from argnp.data.generators.make import open_folder
from argnp.data.ingest_pyg import from_pyg
from argnp.data.molecules.cache import default_folder
from argnp.data.remake import remake
from argnp.data.schema import Encoding
from argnp.errors import UserError
from argnp.workflows.encoding import MOLECULES, parse_encoding, suitable_encoding
from argnp.workflows.idle import Kind, drop_idle, refuse_idle
from argnp.workflows.own_module import import_object
from argnp.workflows.reading import reading
from argnp.workflows.settings import DataSettings

if TYPE_CHECKING:
    from argnp.data.molecules.load import MoleculeData

TABLES = (".csv", ".tsv", ".parquet", ".txt", ".smi")


@dataclass(frozen=True)
class Opened:
    """A dataset, and what its molecules were where it came from a file of them."""

    dataset: Dataset
    molecules: "MoleculeData | None" = None


def is_table(data: str) -> bool:
    """Whether DATA is a file of rows: by its ending, or because it is a file and no name."""
    if data.lower().removesuffix(".gz").endswith(TABLES):
        return True
    return not is_named(data) and Path(data).is_file()


def open_data(settings: DataSettings, seed: int, *, quiet: bool = True) -> Opened:
    """The dataset that the settings name: a table, a name, a folder or ``module:name``.

    A name wins over a folder of the same name here; ``./cluster`` is the folder. Unless
    ``quiet``, the terminal shows how far a long reading is.
    """
    data, kind = settings.data, kind_of(settings.data)
    encoding = parse_encoding(settings.encoding)
    if kind is not None:
        refuse_idle(settings, kind, data)
    if kind == "table":
        return _molecules(settings, encoding or MOLECULES, seed, quiet)
    if kind == "name":
        with reading("graphs", quiet=quiet) as progress:
            named = load_named(
                data,
                Path(settings.root) if settings.root else None,
                graphs=parse_counts(settings.graphs),
                seed=seed,
                parameters=settings.recipe,
                progress=progress,
                **_drawn(settings),
                **_options(settings, encoding),
            )
        return Opened(_finished(named, encoding))
    if kind == "folder":
        return Opened(_encoded(open_folder(Path(data)), settings, encoding))
    if kind == "objects":
        return Opened(open_objects(import_object(data), settings, seed, name=data))
    near = difflib.get_close_matches(data.lower(), names(), n=1)
    raise UserError(
        f"{data}: neither a table ({', '.join(TABLES[:3])}), a dataset's folder, a benchmark's "
        f"name nor package.module:name; {f'did you mean {near[0]}? ' if near else ''}"
        "`argnp data list` shows the names"
    )


def kind_of(data: str) -> Kind | None:
    """What DATA is; None where nothing answers to it."""
    if is_table(data):
        return "table"
    if is_named(data):
        return "name"
    if Path(data).is_dir():
        return "folder"
    return "objects" if ":" in data else None


def without_idle(settings: DataSettings) -> DataSettings:
    """The settings of a run, for other data: what this has no use for is left out."""
    kind = kind_of(settings.data)
    return drop_idle(settings, kind) if kind else settings


def open_objects(objects: object, settings: DataSettings, seed: int, name: str) -> Dataset:
    """A dataset of PyG's objects: a Dataset, a list of Data, a triple, or one Data."""
    if isinstance(objects, Dataset):
        refuse_idle(settings, "dataset", objects.name)
        return objects
    refuse_idle(settings, "objects", name)
    encoding = parse_encoding(settings.encoding)
    asked: dict[str, Any] = {"split": settings.split} if settings.split else {}
    if settings.split_sizes != DataSettings().split_sizes:
        asked["split_sizes"] = settings.split_sizes
    made = from_pyg(objects, name=name, seed=seed, **asked, **_options(settings, encoding))
    return _finished(made, encoding)


def _molecules(settings: DataSettings, encoding: Encoding, seed: int, quiet: bool) -> Opened:
    from argnp.data.molecules.load import load_molecules

    with reading("molecules", quiet=quiet) as progress:
        loaded = load_molecules(
            settings.data,
            targets=settings.target,
            smiles_column=settings.smiles_column,
            featurizer=settings.featurizer,
            splits_column=settings.splits_column,
            split=settings.split,
            split_file=settings.split_file,
            split_sizes=settings.split_sizes,
            on_invalid=settings.on_invalid,
            seed=seed,
            progress=progress,
            **_options(settings, encoding),
        )
    return Opened(loaded.dataset, loaded)


def _options(settings: DataSettings, encoding: Encoding | None) -> dict[str, Any]:
    return {
        "task": settings.task,
        "metric": settings.metric,
        "relations": settings.relations,
        "encoding": encoding or Encoding(),
        "cache": default_folder(),
    }


def _drawn(settings: DataSettings) -> dict[str, Any]:
    """How the splits of named data are drawn, where it has none of its own."""
    if not splits_are_drawn(settings.data):
        return {}
    asked = {"split": settings.split} if settings.split else {}
    return {"split_sizes": settings.split_sizes, **asked}


def _finished(dataset: Dataset, encoding: Encoding | None) -> Dataset:
    """With the encoding that suits it, where none was asked for."""
    if encoding is not None:
        return dataset
    suitable = suitable_encoding(dataset)
    return remake(dataset, encoding=suitable, cache=default_folder())


def _encoded(dataset: Dataset, settings: DataSettings, encoding: Encoding | None) -> Dataset:
    """A saved dataset under other options than it was saved with."""
    saved = dataset.schema.encoding
    chosen = encoding or (saved if saved.kind != "none" else suitable_encoding(dataset))
    return remake(
        dataset,
        encoding=chosen,
        metric=settings.metric,
        relations=settings.relations,
        cache=default_folder(),
    )


def parse_counts(text: str | None) -> int | tuple[int, int, int] | None:
    """``--graphs N`` or ``--graphs TRAIN/VAL/TEST``."""
    if text is None:
        return None
    parts = text.split("/")
    if len(parts) in (1, 3) and all(part.isdigit() for part in parts):
        numbers = [int(part) for part in parts]
        return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1], numbers[2])
    raise UserError(f"--graphs {text}: N or TRAIN/VAL/TEST is expected, as 800/100/100")
