"""What is to be predicted, read off the targets, with the reason in a sentence."""

from dataclasses import dataclass
from typing import Final, cast, get_args

import numpy as np

from argnp.data.raw import Array, RawGraphs
from argnp.data.schema import Kind, Level, Task
from argnp.errors import UserError

METRICS: Final[dict[Kind, tuple[str, ...]]] = {
    "regression": ("mae", "rmse", "r2"),
    "classification": ("accuracy", "balanced_accuracy", "f1", "roc_auc", "average_precision"),
    "multilabel": ("average_precision", "roc_auc", "f1", "accuracy"),
}
_TWO_CLASSES_ONLY = ("roc_auc", "average_precision")


@dataclass(frozen=True)
class Inferred:
    """The task, the targets as it wants them, and why.

    ``y`` is (T,) int64 classes, -1 where missing, or (T, columns) float, NaN where missing.
    ``missing`` says how many classes were taken as missing; ``doubtful`` that -1 may be a class.
    """

    task: Task
    y: Array
    why: str
    missing: str = ""
    doubtful: bool = False


def infer_task(raw: RawGraphs, told: str | None = None) -> Inferred:
    """Task from what the user told, or from the kind and values of ``raw.y``."""
    if raw.y is None:
        raise UserError("the data has no targets; give each graph, node or edge a y")
    kind = None if told is None else _told_kind(told, raw.level)
    columns = raw.y[:, None] if raw.y.ndim == 1 else raw.y
    if not _known(columns).any():
        raise UserError("every target is missing; there is nothing to learn from")
    if kind is not None:
        why = f"{told}, as told"
    else:
        kind, why = _infer_kind(columns, raw.labels)
        why = f"{raw.level}-{kind}: {why}"
    if kind == "classification":
        return _classes(raw, columns, why)
    y = columns.astype(np.float64)
    if kind == "multilabel":
        y[~_known(columns)] = np.nan
        wrong = np.argwhere(~np.isnan(y) & (y != 0) & (y != 1))
        if len(wrong):
            row, column = wrong[0]
            raise UserError(
                f"{raw.row_called(row)}, target column {column}: {y[row, column]:g} is no label "
                "of a multilabel task; labels are 0, 1 or missing"
            )
    labels = raw.labels if len(raw.labels) == y.shape[1] else ()
    return Inferred(Task(raw.level, kind, y.shape[1], labels, _named(raw)), y, why)


def infer_metric(task: Task, told: str | None = None) -> tuple[str, str]:
    """Metric and why: mae; accuracy; roc_auc of two classes; average_precision of labels."""
    if told is not None:
        if told not in METRICS[task.kind]:
            raise UserError(
                f"metric {told!r} does not fit {task.name}; choose from "
                f"{', '.join(METRICS[task.kind])}"
            )
        if task.kind == "classification" and task.outputs != 2 and told in _TWO_CLASSES_ONLY:
            raise UserError(
                f"metric {told!r} needs two classes, there are {task.outputs}; "
                "choose accuracy, balanced_accuracy or f1"
            )
        return told, f"metric {told}, as told"
    if task.kind == "classification" and task.outputs == 2 and task.level != "node":
        return "roc_auc", "metric roc_auc: of two classes, it does not depend on how rare one is"
    default = METRICS[task.kind][0]
    return default, f"metric {default}, the usual one of {task.name}"


def _told_kind(told: str, level: Level) -> Kind:
    names = [f"{at}-{kind}" for at in get_args(Level) for kind in get_args(Kind)]
    if told not in names:
        raise UserError(f"task {told!r} is not known; choose from {', '.join(names)}")
    at, kind = told.split("-")
    if at != level:
        raise UserError(f"task {told} does not fit: the targets are one per {level}")
    return cast(Kind, kind)


def _infer_kind(columns: Array, labels: tuple[str, ...]) -> tuple[Kind, str]:
    known = _known(columns)
    binary = [set(np.unique(c[k]).tolist()) for c, k in zip(columns.T, known.T, strict=True)]
    several = columns.shape[1] > 1
    zero_one = [values <= {0, 1} and (several or len(values) == 2) for values in binary]
    if several:
        if all(zero_one):
            return "multilabel", f"{columns.shape[1]} columns of 0 and 1"
        both = [i for i, values in enumerate(binary) if values == {0, 1}]
        if both:
            names = labels or tuple(map(str, range(columns.shape[1])))
            raise UserError(
                f"target column {names[both[0]]} holds 0 and 1 only, column "
                f"{names[zero_one.index(False)]} other numbers: labels and numbers are not "
                "learned together; choose columns of one kind or say --task"
            )
        return "regression", f"{columns.shape[1]} columns of numbers"
    if columns.dtype.kind == "f":
        if zero_one[0]:
            return "classification", "every target is 0 or 1"
        return "regression", "targets are real numbers"
    distinct, rows = len(binary[0]), int(known.sum())
    if not labels and distinct > 20 and distinct > rows / 2:
        return "regression", f"targets are integers of {distinct} values in {rows} rows"
    return "classification", f"targets are integers of {distinct} values"


def _named(raw: RawGraphs) -> bool:
    """Whether the targets are of node pairs that the data names itself."""
    return raw.level == "edge" and raw.edge_label_index is not None


def _known(columns: Array) -> Array:
    """What is not missing: NaN is, and -1 among integers, unless the classes are -1 and 1."""
    if columns.dtype.kind == "f":
        return ~np.isnan(columns)
    if set(np.unique(columns).tolist()) == {-1, 1}:
        return np.ones(columns.shape, dtype=bool)
    known: Array = columns != -1
    return known


def _classes(raw: RawGraphs, columns: Array, why: str) -> Inferred:
    if columns.shape[1] != 1:
        raise UserError(
            f"targets have {columns.shape[1]} columns, a classification has one; "
            f"--task {raw.level}-multilabel takes several columns of 0 and 1"
        )
    column, known = columns[:, 0], _known(columns)[:, 0]
    values = np.unique(column[known])
    odd = values[values != np.round(values)]
    if len(odd):
        row = int(np.flatnonzero(column == odd[0])[0])
        raise UserError(
            f"{raw.row_called(row)}: target {odd[0]:g} is no class; classes are integers "
            f"(--task {raw.level}-regression predicts numbers)"
        )
    if values.min() < -1:
        row = int(np.argmin(np.where(known, column, 0)))
        raise UserError(
            f"{raw.row_called(row)}: label {column[row]:g} is no class; classes count from 0, "
            "-1 is missing"
        )
    labels = raw.labels
    if labels:
        wrong = np.flatnonzero(known & ((column < 0) | (column >= len(labels))))
        if len(wrong):
            raise UserError(
                f"{raw.row_called(wrong[0])}: label {column[wrong[0]]:g} is outside the "
                f"{len(labels)} classes 0 to {len(labels) - 1}"
            )
        codes = column
    else:
        codes = np.searchsorted(values, column)
        if not np.array_equal(values, np.arange(len(values))):
            labels = tuple(str(int(value)) for value in values)
    classes = len(labels) or len(values)
    if len(values) < 2:
        raise UserError(
            f"every target is class {int(values[0])}; a classification needs two classes or more"
        )
    y = np.where(known, codes, -1).astype(np.int64)
    lost = "" if raw.labels or known.all() else _lost(known)
    return Inferred(
        Task(raw.level, "classification", classes, labels, _named(raw)),
        y,
        why,
        missing=lost,
        doubtful=bool(lost) and column.dtype.kind != "f" and set(values.tolist()) == {0, 1},
    )


def _lost(known: Array) -> str:
    count = int((~known).sum())
    return f"{count:,} of {len(known):,} targets ({count / len(known):.1%}) are taken as missing"
