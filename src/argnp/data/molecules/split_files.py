"""Splits from a column of the table, or from files of row numbers."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Split
from argnp.data.molecules.files import file_errors, open_bytes
from argnp.data.splits import NAMES, split_named
from argnp.errors import UserError

RowNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
SplitRows = dict[Split, NDArray[np.int64]]

_MOST_DIGITS: Final = 18
_SEPARATORS: Final = re.compile(rb"[\s,;]+")


def read_split_column(path: Path, column: str, cells: Sequence[str]) -> SplitRows:
    """Rows, from 0, of the splits that a column names in words."""
    words = dict.fromkeys(cells)
    try:
        split_named(list(words))
    except UserError:
        for word in words:
            _check_word(path, column, word, cells.index(word) + 1)
    return split_named(cells)


def read_split_files(path: Path) -> SplitRows:
    """Rows, from 0, out of one JSON file, or of a folder with a file per split.

    JSON: an object with the lists ``train``, ``val`` and ``test``. Folder: files whose names
    begin with these words, holding numbers between commas, blanks or line ends, gzipped or not.
    """
    numbers = _read_folder(path) if path.is_dir() else _read_json(path)
    rows: SplitRows = {}
    for word, items in numbers.items():
        name = _split_called(word)
        if name in rows:
            raise UserError(f"{path}: the {name} rows are given twice, once as {word}; leave one")
        if name is not None:
            rows[name] = np.array(items, dtype=np.int64)
    missing = [name for name in NAMES if name not in rows]
    if missing:
        raise UserError(f"{path}: no rows for {', '.join(missing)}; train, val and test are needed")
    return rows


def to_graphs(rows: SplitRows, places: NDArray[np.int64], total: int, path: Path) -> SplitRows:
    """Graph numbers for row numbers: graph ``g`` is row ``places[g]`` of ``total``.

    Rows that gave no graph are left out.
    """
    graph = np.full(total, -1, dtype=np.int64)
    graph[places] = np.arange(len(places))
    graphs: SplitRows = {}
    taken = np.zeros(total, dtype=bool)
    for name, items in rows.items():
        wrong = items[(items < 0) | (items >= total)]
        if len(wrong):
            raise UserError(
                f"{path}: {name} names row {wrong[0]}, the data has rows 0 to {total - 1}"
            )
        again = items[taken[items]]
        if len(again) or len(np.unique(items)) < len(items):
            row = again[0] if len(again) else items[np.bincount(items)[items] > 1][0]
            raise UserError(
                f"{path}: row {row} (from 0) is named more than once; each may train, validate or "
                "test only"
            )
        taken[items] = True
        found = graph[items]
        graphs[name] = found[found >= 0]
    return graphs


def _check_word(path: Path, column: str, word: str, row: int) -> None:
    if _split_called(word) is None:
        raise UserError(
            f"{path}, row {row}, column {column}: '{word[:40]}' is no split; "
            "every row says train, val or test"
        )


def _split_called(word: str) -> Split | None:
    try:
        found = split_named([word])
    except UserError:
        return None
    return next(name for name in NAMES if len(found[name]))


def _read_json(path: Path) -> dict[str, list[int]]:
    with file_errors(path), open_bytes(path) as stream:
        text = stream.read()
    try:
        return msgspec.json.decode(text, type=dict[str, list[RowNumber]])
    except msgspec.DecodeError as error:
        raise UserError(
            f'{path}: {error}; splits are {{"train": [row numbers from 0], "val": [..], '
            '"test": [..]}'
        ) from None


def _read_folder(path: Path) -> dict[str, list[int]]:
    with file_errors(path):
        files = sorted(item for item in path.iterdir() if item.is_file())
    named: dict[str, Path] = {}
    for file in files:
        word = file.name.split(".")[0]
        if _split_called(word) is None:
            continue
        if word in named:
            raise UserError(
                f"{path}: both {named[word].name} and {file.name} hold the {word} rows; leave one"
            )
        named[word] = file
    return {word: _read_numbers(file) for word, file in named.items()}


def _read_numbers(file: Path) -> list[int]:
    with file_errors(file), open_bytes(file) as stream:
        words = [word for word in _SEPARATORS.split(stream.read()) if word]
    for word in words:
        if not word.isdigit() or len(word) > _MOST_DIGITS:
            shown = word[:40].decode(errors="replace")
            raise UserError(f"{file}: '{shown}' is no row number; rows count from 0")
    return [int(word) for word in words]
