"""Point-cloud datasets as folders of plain arrays."""

from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from argnp.data.dataset import Dataset
from argnp.data.folder_checks import (
    check_card,
    check_parts,
    check_targets,
    damaged,
    find,
    not_finite,
)
from argnp.data.pointclouds import Clouds, PointCloudSource
from argnp.data.raw import Array
from argnp.data.schema import Features, Schema
from argnp.data.splits import NAMES
from argnp.errors import UserError

VERSION = 1
_CARD = "pointclouds.json"


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands beside the arrays."""

    version: int
    name: str
    schema: Schema
    metric: str
    fingerprint: str
    notes: tuple[str, ...]
    neighbours: int


def save_clouds(dataset: Dataset, folder: Path) -> None:
    """Writes a dataset whose source is point clouds; the card comes last."""
    source = dataset.source
    if not isinstance(source, PointCloudSource):
        raise TypeError(f"only point clouds are saved here, not {type(source).__name__}")
    arrays: dict[str, Array] = {"points": source.clouds.points, "y": source.clouds.y}
    arrays |= {f"split_{name}": dataset.splits[name] for name in NAMES}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    card = _Card(
        version=VERSION,
        name=dataset.name,
        schema=dataset.schema,
        metric=dataset.metric,
        fingerprint=dataset.fingerprint,
        notes=dataset.notes,
        neighbours=source.neighbours,
    )
    (folder / _CARD).write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=2))


def is_clouds(folder: Path) -> bool:
    """Whether the folder holds saved point clouds."""
    return (folder / _CARD).is_file()


def open_clouds(folder: Path) -> Dataset:
    """The dataset in a folder; the points are mapped, not read."""
    try:
        card = msgspec.json.decode((folder / _CARD).read_bytes(), type=_Card)
    except (OSError, msgspec.DecodeError) as wrong:
        raise UserError(f"{folder / _CARD}: {wrong}; make the dataset again") from None
    if card.version != VERSION:
        raise UserError(f"{folder} is of format {card.version}, this argnp reads {VERSION}")
    points, y = _read(folder, "points", 3, "f4"), _read(folder, "y", 1, "i8")
    if len(points) != len(y) or points.shape[2] != 3:
        raise UserError(
            f"{folder}: points.npy has shape {points.shape}, y.npy {y.shape}; make it again"
        )
    splits = {name: _read(folder, f"split_{name}", 1, "i8") for name in NAMES}
    _check(card, points, y, folder)
    check_parts(splits, len(points), "cloud", folder)
    return Dataset(
        name=card.name,
        source=PointCloudSource(
            Clouds(points, y, card.schema.task.labels), neighbours=card.neighbours
        ),
        splits=splits,
        schema=card.schema,
        metric=card.metric,
        fingerprint=card.fingerprint,
        notes=card.notes,
    )


def _check(card: _Card, points: Array, y: Array, folder: Path) -> None:
    """Clouds of a class each, as generated: nothing is missing, every point is somewhere."""
    task, schema = card.schema.task, card.schema
    check_card(task, card.metric, folder / _CARD)
    like_clouds = (
        task.name == "graph-classification"
        and schema.node == Features("floats", width=3)
        and schema.edge.kind == schema.encoding.kind == "none"
        and schema.relations != "undirected"
    )
    if not like_clouds or card.neighbours < 1 or points.shape[1] < 2:
        raise damaged(folder / _CARD, "does not tell of the point clouds beside it")
    check_targets(y, task, folder / "y.npy")
    if len(y) and y.min() < 0:
        raise damaged(folder / "y.npy", f"leaves cloud {int(y.argmin())} without a class")
    nowhere = find(points, not_finite)
    if nowhere:
        raise damaged(
            folder / "points.npy",
            f"holds {points[nowhere]} in cloud {nowhere[0]}, point {nowhere[1]}: "
            "coordinates are finite",
        )


def _read(folder: Path, name: str, dimensions: int, kind: str) -> Array:
    file = folder / f"{name}.npy"
    try:
        mapped: Literal["r"] | None = "r" if dimensions > 1 else None
        array: Array = np.asarray(np.load(file, mmap_mode=mapped, allow_pickle=False))
    except (OSError, ValueError, EOFError) as wrong:
        raise UserError(f"{file} cannot be read ({wrong}); make the dataset again") from None
    if array.ndim != dimensions or array.dtype != np.dtype(kind):
        raise UserError(f"{file} is {array.dtype} of shape {array.shape}; make the dataset again")
    return array
