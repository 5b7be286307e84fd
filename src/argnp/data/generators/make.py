"""From a generator's name to a dataset, in memory or in a folder."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from argnp.data.dataset import Dataset
from argnp.data.folder import is_dataset, open_dataset, save_dataset
from argnp.data.generators.catalogue import generator, read_recipe
from argnp.data.generators.clouds_folder import is_clouds, open_clouds, save_clouds
from argnp.data.generators.generated import Counts, read_counts
from argnp.data.ingest import ingest
from argnp.data.molecules.convert import Progress
from argnp.data.pointclouds import Clouds, PointCloudSource
from argnp.data.pointclouds_ingest import cloud_options, ingest_clouds
from argnp.errors import UserError

Graphs = int | Sequence[int] | None


def generate(
    name: str,
    graphs: Graphs = None,
    *,
    seed: int = 0,
    parameters: Mapping[str, object] | None = None,
    notes: Sequence[str] = (),
    progress: Progress | None = None,
    **options: Any,
) -> Dataset:
    """A dataset made by recipe. ``graphs``: total, or (train, val, test); None: the recipe's.

    ``progress`` is told how many are made, where that takes long.
    ``options`` are those of :func:`argnp.data.ingest.ingest` (task, metric, relations, encoding,
    cache).
    """
    if seed < 0:
        raise UserError(f"--seed {seed}: seeds are 0 or more")
    made_by, recipe = generator(name), read_recipe(name, parameters or {})
    counts: Counts | None = None
    if graphs is not None or made_by.full is not None:
        counts = read_counts(graphs, made_by.full or (80, 10, 10))
    told_to = {"progress": progress} if made_by.lasting else {}
    made = made_by.make(recipe, counts, seed, **told_to)
    sizes = " / ".join(f"{len(made.splits[split]):,}" for split in made.splits)
    told = (*notes, f"generated: {name}, {sizes} graphs, seed {seed}{_changed(recipe)}")
    options = {"metric": made_by.metric, **options}
    if isinstance(made.graphs, Clouds):
        options = cloud_options(options)
        return ingest_clouds(made.graphs, name=name, splits=made.splits, notes=told, **options)
    return ingest(made.graphs, name=name, splits=made.splits, notes=told, **options)


def make(
    name: str,
    folder: Path,
    graphs: Graphs = None,
    *,
    seed: int = 0,
    parameters: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> None:
    """Generates into a new folder, which appears whole or not at all."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} exists already; give another folder or remove it")
    dataset = generate(name, graphs, seed=seed, parameters=parameters, progress=progress)
    draft = folder.parent / f".{folder.name}.{os.getpid()}"
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir(parents=True)
        save = save_clouds if isinstance(dataset.source, PointCloudSource) else save_dataset
        save(dataset, draft)
        draft.replace(folder)
    except OSError as failed:
        raise UserError(f"{folder} cannot be written ({failed.strerror})") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def open_folder(folder: Path) -> Dataset:
    """The dataset in a folder that ``make`` or the library wrote."""
    if is_clouds(folder):
        return open_clouds(folder)
    if is_dataset(folder):
        return open_dataset(folder)
    raise UserError(f"{folder} holds no dataset; argnp data make NAME -o FOLDER writes one")


def _changed(recipe: msgspec.Struct) -> str:
    """The parameters that are not the published ones."""
    changed = [
        f"{field.name}={getattr(recipe, field.name)}"
        for field in msgspec.structs.fields(type(recipe))
        if getattr(recipe, field.name) != field.default and field.name != "workers"
    ]
    return ", " + ", ".join(changed) if changed else ""
