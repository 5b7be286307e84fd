"""One target column: from text to numbers or classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from argnp.data.molecules.cells import is_missing, to_number
from argnp.data.schema import Kind
from argnp.errors import UserError

ColumnKind = Literal["regression", "binary", "multiclass"]

_MOST_CLASSES: Final = 30  # of whole numbers; words may be as many as rows bear
_LEAST_ROWS_PER_CLASS: Final = 3
_SHOWN: Final = 40  # characters of a cell in a message


@dataclass(frozen=True)
class Column:
    """A number per row, NaN where blank; of classes, the class's place in ``classes``.

    ``bad``: reason by place, where text stands in a column of numbers.
    """

    name: str
    kind: ColumnKind
    values: NDArray[np.float64]  # (rows,)
    classes: tuple[str, ...]  # empty for regression
    bad: Mapping[int, str]


def read_column(path: Path, name: str, cells: Sequence[str], kind: Kind | None) -> Column:
    """Numbers where at least half the cells are, else classes; ``kind`` is what the user told."""
    numbers = [to_number(cell) for cell in cells]
    filled = sum(not is_missing(cell) for cell in cells)
    bad = {
        place: f"column {name}: '{cells[place][:_SHOWN]}' is no number (blank means missing)"
        for place, number in enumerate(numbers)
        if number is None
    }
    if 2 * len(bad) > filled:
        if kind in ("regression", "multilabel"):
            raise UserError(
                f"{path}: column {name} holds text, not numbers; name another --target, "
                "or say --task graph-classification"
            )
        return _of_words(path, name, cells)
    values = np.array([np.nan if number is None else number for number in numbers], np.float64)
    found = np.unique(values[~np.isnan(values)])
    if not len(found):
        raise UserError(f"{path}: column {name} holds no target in any row")
    zero_one = set(found.tolist()) <= {0.0, 1.0}
    if kind == "regression" or (kind is None and not zero_one and not _like_classes(found, filled)):
        return Column(name, "regression", values, (), bad)
    if zero_one:
        return Column(name, "binary", values, ("0", "1"), bad)
    _check_classes(path, name, [f"{value:g}" for value in found[:3]], len(found), filled)
    codes = np.where(np.isnan(values), np.nan, np.searchsorted(found, values))
    classes = tuple(f"{value:.15g}" for value in found)
    return Column(name, _kind_of_classes(len(found)), codes, classes, bad)


def _of_words(path: Path, name: str, cells: Sequence[str]) -> Column:
    filled = [cell for cell in cells if not is_missing(cell)]
    classes = sorted(set(filled))
    _check_classes(path, name, classes, len(classes), len(filled))
    code = {cell: float(number) for number, cell in enumerate(classes)}
    values = np.array([code.get(cell, np.nan) for cell in cells], np.float64)
    return Column(name, _kind_of_classes(len(classes)), values, tuple(classes), {})


def _kind_of_classes(count: int) -> ColumnKind:
    return "binary" if count == 2 else "multiclass"


def _like_classes(found: NDArray[np.float64], rows: int) -> bool:
    """Whole numbers without a gap from 0 or 1 on, each in a few rows."""
    count = len(found)
    return (
        3 <= count <= _MOST_CLASSES
        and found[0] in (0.0, 1.0)
        and np.array_equal(found, found[0] + np.arange(count))
        and rows >= _LEAST_ROWS_PER_CLASS * count
    )


def _check_classes(path: Path, name: str, examples: Sequence[str], count: int, rows: int) -> None:
    if count > 2 and 2 * count > rows:
        raise UserError(
            f"{path}: column {name} has {count} different values in {rows} rows, like "
            f"'{examples[0][:_SHOWN]}': too many for classes; name another --target"
        )
