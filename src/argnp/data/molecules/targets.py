"""All target columns together: what kind of task they make, and the targets as it wants them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from argnp.data.molecules.target_columns import Column, read_column
from argnp.data.schema import Kind
from argnp.errors import UserError

_SHOWN: Final = 6  # names in a message


@dataclass(frozen=True)
class Targets:
    """Targets of every row.

    ``y``: (rows, columns) float64, NaN where blank; or, for classification, (rows,) int64, -1
    where blank. ``labels``: class names, or names of the columns. ``bad``: reason by place, of
    rows with text in a column of numbers.
    """

    kind: Kind
    y: NDArray[Any]
    labels: tuple[str, ...]
    bad: Mapping[int, str]
    note: str

    @property
    def missing(self) -> NDArray[np.bool_]:
        """(rows,) where no target is known."""
        if self.kind == "classification":
            return np.asarray(self.y < 0)
        return np.asarray(np.isnan(self.y).all(axis=1))


def read_targets(
    path: Path, cells: Mapping[str, Sequence[str]], kind: Kind | None = None
) -> Targets:
    """Infers what the columns are, unless ``kind`` says it."""
    columns = [read_column(path, name, texts, kind) for name, texts in cells.items()]
    kind = kind or _infer_kind(path, columns)
    # Of several bad cells in a row, the first column's is told.
    bad = {place: why for column in reversed(columns) for place, why in column.bad.items()}
    if kind == "classification":
        column = _only(path, columns)
        y: NDArray[Any] = np.where(np.isnan(column.values), -1, column.values).astype(np.int64)
        note = f"target {column.name}: {len(column.classes)} classes ({_shorten(column.classes)})"
        return Targets(kind, y, column.classes, bad, note)
    if kind == "multilabel":
        _check_labels(path, columns)
    names = tuple(column.name for column in columns)
    what = "numbers" if kind == "regression" else "labels of 0 and 1"
    note = f"target{'s' * (len(names) > 1)} {_shorten(names)}: {what}"
    return Targets(kind, np.stack([column.values for column in columns], 1), names, bad, note)


def _infer_kind(path: Path, columns: Sequence[Column]) -> Kind:
    kinds = {column.kind for column in columns}
    if kinds == {"regression"}:
        return "regression"
    if len(columns) == 1:
        return "classification"
    if all(column.classes == ("0", "1") for column in columns):
        return "multilabel"
    if "regression" not in kinds:
        _only(path, columns)
    described = ", ".join(f"{column.name} ({column.kind})" for column in columns)
    raise UserError(
        f"{path}: targets of different kinds: {described}; run them one by one, or take all as "
        "numbers with --task graph-regression"
    )


def _only(path: Path, columns: Sequence[Column]) -> Column:
    if len(columns) > 1:
        names = _shorten([column.name for column in columns])
        raise UserError(
            f"{path}: {names}: classes are predicted for one column at a time; name one --target"
        )
    return columns[0]


def _check_labels(path: Path, columns: Sequence[Column]) -> None:
    for column in columns:
        if column.classes != ("0", "1"):
            raise UserError(
                f"{path}: column {column.name} holds more than 0 and 1, which is all that "
                "graph-multilabel predicts; choose other columns or another --task"
            )


def _shorten(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
