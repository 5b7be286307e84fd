"""New graphs for a network that exists: packed as its training data was, or refused."""

from pathlib import Path

import numpy as np

from argnp.data.checks import check
from argnp.data.encodings import encode
from argnp.data.features import node_columns, require
from argnp.data.infer import infer_task
from argnp.data.pack import pack
from argnp.data.raw import Array, RawGraphs
from argnp.data.schema import Schema, Task
from argnp.data.store import PackedStore
from argnp.errors import UserError


def conform(
    raw: RawGraphs, schema: Schema, *, targets: bool = False, cache: Path | None = None
) -> PackedStore:
    """Graphs packed for a network of this schema, with their targets if they are wanted.

    Refuses, in one line, what such a network cannot read.
    """
    check(raw)
    require(node_columns(raw), schema.node, "node")
    if schema.relations != "off":
        require(raw.edge_attr, schema.edge, "edge")
    store, _, _ = pack(
        raw,
        node=schema.node,
        edge=schema.edge,
        relations=schema.relations,
        y=_targets(raw, schema.task) if targets else None,
        encoding=schema.encoding,
        encoded=encode(raw, schema.encoding, cache),
    )
    return store


def _targets(raw: RawGraphs, task: Task) -> Array:
    """Targets in the terms of a task that was inferred from other data."""
    if task.kind != "classification":
        y = infer_task(raw, task.name).y
        if y.shape[1] != task.outputs:
            raise UserError(
                f"targets have {y.shape[1]} columns, the model predicts {task.outputs}; "
                "give it the columns it was trained on"
            )
        return y
    return _classes(raw, task)


def _classes(raw: RawGraphs, task: Task) -> Array:
    """Classes by name where they have names, else by number; -1 where missing."""
    if raw.y is None:
        raise UserError("the data has no targets; an evaluation needs them")
    if raw.level != task.level:
        raise UserError(f"the model predicts {task.name}s, these targets are one per {raw.level}")
    y = raw.y.reshape(len(raw.y), -1)[:, 0] if raw.y.ndim == 2 else raw.y
    names = task.labels or tuple(map(str, range(task.outputs)))
    values, inverse = np.unique(np.nan_to_num(y, nan=-1), return_inverse=True)
    codes = np.full(len(values), -1)
    for i, value in enumerate(values):
        named = raw.labels[int(value)] if 0 <= value < len(raw.labels) else f"{value:g}"
        if named in names:
            codes[i] = names.index(named)
        elif value != -1:
            row = int(np.flatnonzero(inverse == i)[0])
            raise UserError(
                f"{raw.row_called(row)}: class {named} was not in the training data, whose "
                f"classes are {', '.join(names[:10])}{', ..' if len(names) > 10 else ''}"
            )
    classes: Array = codes[inverse].astype(np.int64)
    return classes
