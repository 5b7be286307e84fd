"""Predictions as the columns of a table."""

from collections.abc import Container
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.model.manifest import Manifest
from argnp.model.predicted import Predicted

Columns = dict[str, NDArray[Any] | list[str]]

UNNAMED = "prediction"
REASON = "reason"


def to_columns(manifest: Manifest, predicted: Predicted) -> Columns:
    """What is predicted, by name, and the spread over an ensemble where there is one.

    - regression, multilabel: a column per target, by its name; ``TARGET_spread``;
    - classification: ``TARGET``, the likeliest class (blank without a prediction); its
      probability's spread, ``TARGET_spread``; and every class's probability, ``TARGET_CLASS``.

    Targets without names are called ``prediction``, or ``prediction_0``, ``prediction_1``, ...
    A name that is taken is numbered, see `merged`.
    """
    if manifest.schema.task.kind == "classification":
        return _classes(manifest, predicted)
    names = _names(manifest)
    columns: Columns = {name: predicted.values[:, c] for c, name in enumerate(names)}
    if predicted.spread is None:
        return columns
    spreads: Columns = {f"{n}_spread": predicted.spread[:, c] for c, n in enumerate(names)}
    return merged(columns, spreads)


def merged(*tables: Columns) -> Columns:
    """All columns side by side; ``name_2`` for one whose name an earlier table has."""
    columns: Columns = {}
    for table in tables:
        for name, cells in table.items():
            columns[free(name, {*columns} | ({*table} - {name}))] = cells
    return columns


def free(name: str, taken: Container[str]) -> str:
    """The name, or the name with the first number, from 2, that makes it one of its own."""
    numbered = (f"{name}_{number}" for number in count(2))
    return name if name not in taken else next(new for new in numbered if new not in taken)


def reasons(predicted: Predicted) -> Columns:
    """``reason``: why a row has no prediction; blank where it has one."""
    return {REASON: [predicted.reasons.get(row, "") for row in range(len(predicted.values))]}


def _names(manifest: Manifest) -> tuple[str, ...]:
    outputs = manifest.schema.task.outputs
    if len(manifest.target_names) == outputs:
        return manifest.target_names
    return (UNNAMED,) if outputs == 1 else tuple(f"{UNNAMED}_{c}" for c in range(outputs))


def _classes(manifest: Manifest, predicted: Predicted) -> Columns:
    task, values = manifest.schema.task, predicted.values
    name = manifest.target_names[0] if manifest.target_names else UNNAMED
    labels = task.labels or tuple(map(str, range(task.outputs)))
    known: NDArray[np.bool_] = np.asarray(np.isfinite(values).all(axis=1))
    likeliest = np.nan_to_num(values).argmax(axis=1)
    told: Columns = {name: [labels[c] if k else "" for c, k in zip(likeliest, known, strict=True)]}
    each: Columns = {f"{name}_{label}": values[:, c] for c, label in enumerate(labels)}
    spread: Columns = {}
    if predicted.spread is not None:
        spread[f"{name}_spread"] = predicted.spread[np.arange(len(values)), likeliest]
    return merged(told, each, spread)
