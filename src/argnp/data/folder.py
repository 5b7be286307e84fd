"""Datasets as folders of plain arrays, opened without reading what is not needed."""

import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from argnp.data.dataset import Dataset
from argnp.data.folder_checks import check_card, check_parts, check_store
from argnp.data.mapped import read_array
from argnp.data.raw import Array
from argnp.data.schema import Level, Schema
from argnp.data.splits import NAMES
from argnp.data.store import PackedStore
from argnp.errors import UserError

VERSION = 1
_CARD = "dataset.json"


class _Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands beside the arrays. It is written last: without it there is no dataset."""

    version: int
    name: str
    schema: Schema
    metric: str
    by_row: bool
    fingerprint: str
    notes: tuple[str, ...]
    undirected: bool
    level: Level
    random_signs: bool
    arrays: tuple[str, ...]


def save_dataset(dataset: Dataset, folder: Path) -> None:
    """Writes a dataset whose source is a packed store; an older one in the folder is replaced."""
    store = dataset.source
    if not isinstance(store, PackedStore):
        raise TypeError(f"only packed graphs are saved, not {type(store).__name__}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _CARD).unlink(missing_ok=True)
    arrays = {
        field.name: value
        for field in fields(store)
        if isinstance(value := getattr(store, field.name), np.ndarray)
    }
    for name, array in {**arrays, **{f"split_{n}": dataset.splits[n] for n in NAMES}}.items():
        _write(folder / f"{name}.npy", array)
    card = _Card(
        version=VERSION,
        name=dataset.name,
        schema=dataset.schema,
        metric=dataset.metric,
        by_row=dataset.by_row,
        fingerprint=dataset.fingerprint,
        notes=dataset.notes,
        undirected=store.undirected,
        level=store.level,
        random_signs=store.random_signs,
        arrays=tuple(arrays),
    )
    draft = folder / f".{_CARD}.{os.getpid()}"
    draft.write_bytes(msgspec.json.format(msgspec.json.encode(card), indent=2))
    draft.replace(folder / _CARD)


def is_dataset(folder: Path) -> bool:
    """Whether the folder holds a saved dataset."""
    return (folder / _CARD).is_file()


def open_dataset(folder: Path) -> Dataset:
    """The dataset in a folder; its large arrays are mapped, not read."""
    try:
        card = msgspec.json.decode((folder / _CARD).read_bytes(), type=_Card)
    except FileNotFoundError:
        raise UserError(f"{folder} holds no dataset ({_CARD} is missing)") from None
    except (OSError, msgspec.DecodeError) as wrong:
        raise UserError(f"{folder / _CARD}: {wrong}; make the dataset again") from None
    if card.version != VERSION:
        raise UserError(f"{folder} is of format {card.version}, this argnp reads {VERSION}")
    known = {field.name for field in fields(PackedStore)}
    arrays: dict[str, Any] = {n: _read(folder / f"{n}.npy") for n in card.arrays if n in known}
    try:
        store = PackedStore(
            undirected=card.undirected,
            level=card.level,
            random_signs=card.random_signs,
            **arrays,
        )
    except TypeError as missing:
        raise UserError(f"{folder / _CARD} lists too few arrays ({missing})") from None
    check_card(card.schema.task, card.metric, folder / _CARD)
    check_store(store, card.schema, folder)
    splits = {name: _read(folder / f"split_{name}.npy") for name in NAMES}
    total, what = (
        (int(store.row_ptr[-1]), card.schema.task.level) if card.by_row else (len(store), "graph")
    )
    check_parts(splits, total, what, folder)
    return Dataset(
        name=card.name,
        source=store,
        splits=splits,
        schema=card.schema,
        metric=card.metric,
        by_row=card.by_row,
        fingerprint=card.fingerprint,
        notes=card.notes,
    )


def _write(file: Path, array: Array) -> None:
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    with draft.open("wb") as out:
        np.save(out, array, allow_pickle=False)
    draft.replace(file)


def _read(file: Path) -> Array:
    try:
        return read_array(file)
    except FileNotFoundError:
        raise UserError(f"{file} is missing; make the dataset again") from None
    except (ValueError, EOFError, OSError) as wrong:
        raise UserError(f"{file} is damaged ({wrong}); make the dataset again") from None
