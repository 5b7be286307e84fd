"""What a saved dataset's arrays must hold: anyone may have written them, and compiled code reads.

Large arrays are mapped, so everything is looked at a block at a time.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from argnp.data.checks import LARGEST
from argnp.data.dataset import Split
from argnp.data.hashing import BLOCK
from argnp.data.infer import infer_metric
from argnp.data.raw import Array, owner
from argnp.data.schema import Features, Schema, Task
from argnp.data.splits import NAMES, Int64
from argnp.data.store import PackedStore
from argnp.errors import UserError

# Kinds of numbers and dimensions of each array; ends of relations are read by compiled code.
_FORMS: Final[Mapping[str, tuple[str, tuple[int, ...]]]] = {
    **dict.fromkeys(("node_ptr", "relation_ptr", "edge_ptr", "label_ptr", "ids"), ("i", (1,))),
    **dict.fromkeys(("source", "target"), ("i", (1,))),
    "relation_of": ("iu", (1,)),
    "degree": ("f", (1,)),
    "backward": ("b", (1,)),
    "node": ("iuf", (2,)),
    "edge": ("iuf", (2,)),
    "encoding": ("f", (2,)),
    "y": ("iuf", (1, 2)),
    "label_index": ("iu", (2,)),
}


def damaged(file: Path, what: str) -> UserError:
    """One line about a file of a saved dataset."""
    return UserError(f"{file} {what}; make the dataset again")


def check_store(store: PackedStore, schema: Schema, folder: Path) -> None:
    """Arrays that fit each other and the schema, and hold what a network can compute with."""
    _forms(store, folder)
    _offsets(store, folder)
    _lengths(store, folder)
    _indices(store, folder)
    _fits_schema(store, schema, folder)
    _columns(store.node, schema.node, folder / "node.npy")
    _columns(store.edge, schema.edge, folder / "edge.npy")
    encoded = Features("floats" if schema.encoding.width else "none", width=schema.encoding.width)
    _columns(store.encoding, encoded, folder / "encoding.npy")
    if find(store.degree, lambda rows, _: ~((rows >= 0) & (rows <= LARGEST))):
        raise damaged(folder / "degree.npy", "holds what is no number of edges")
    check_targets(store.y, schema.task, folder / "y.npy")


def check_card(task: Task, metric: str, card: Path) -> None:
    """A task and a metric that go together."""
    least = 2 if task.kind == "classification" else 1
    if task.outputs < least or len(task.labels) not in (0, task.outputs):
        raise damaged(card, f"tells of {task.outputs} outputs with {len(task.labels)} names")
    try:
        infer_metric(task, metric)
    except UserError as wrong:
        raise UserError(f"{card}: {wrong}") from None


def check_targets(y: Array | None, task: Task, file: Path) -> None:
    """Classes of the task, or its columns of numbers; both may be missing."""
    if y is None:
        raise damaged(file, "is missing")
    classes = task.kind == "classification"
    shape = y.shape[:1] if classes else (len(y), task.outputs)
    if y.shape != shape or (y.dtype.kind == "f") == classes:
        raise damaged(file, f"is {y.dtype} of shape {y.shape}, which is no {task.name}")
    if classes:
        wrong = find(y, lambda rows, _: (rows < -1) | (rows >= task.outputs))
        allowed = f"classes are 0 to {task.outputs - 1}, or -1 where missing"
    elif task.kind == "multilabel":
        wrong = find(y, lambda rows, _: ~(np.isnan(rows) | (rows == 0) | (rows == 1)))
        allowed = "labels are 0, 1, or NaN where missing"
    else:
        wrong = find(y, lambda rows, _: np.abs(rows) > LARGEST)
        allowed = "numbers are finite (float32), or NaN where missing"
    if wrong:
        raise damaged(file, f"holds {y[wrong]} in row {wrong[0]}: {allowed}")


def check_parts(splits: Mapping[Split, Array], total: int, what: str, folder: Path) -> None:
    """Splits of what there is, none empty, nothing in two of them."""
    taken = np.zeros(total, dtype=bool)
    for name in NAMES:
        items, file = splits[name], folder / f"split_{name}.npy"
        if items.ndim != 1 or items.dtype.kind != "i" or not len(items):
            raise damaged(file, f"is {items.dtype} of shape {items.shape}, which is no split")
        beyond = items[(items < 0) | (items >= total)]
        if len(beyond):
            raise damaged(file, f"names {what} {beyond[0]}, there are 0 to {total - 1}")
        again = items[taken[items]]
        taken[items] = True
        if len(again) or len(np.unique(items)) < len(items):
            raise damaged(file, f"names a {what} that is in a split already")


def find(rows: Array, wrong: Callable[[Array, int], Array]) -> tuple[int, ...] | None:
    """The first place at which ``wrong`` (of a block, and the number of its first row) is true."""
    for begin, block in _blocks(rows):
        bad = wrong(block, begin)
        if bad.any():
            row, *column = (int(i) for i in np.argwhere(bad)[0])
            return (begin + row, *column)
    return None


def not_finite(rows: Array, _: int) -> Array:
    """What single precision cannot hold."""
    found: Array = ~(np.abs(rows) <= LARGEST)
    return found


def _blocks(rows: Array) -> Iterator[tuple[int, Array]]:
    step = max(1, BLOCK // max(1, math.prod(rows.shape[1:])))
    for begin in range(0, len(rows), step):
        yield begin, rows[begin : begin + step]


def _forms(store: PackedStore, folder: Path) -> None:
    for name, (kinds, dimensions) in _FORMS.items():
        array = getattr(store, name)
        if array is None:
            continue
        wide = array.dtype.kind != "f" or array.dtype.itemsize >= 4
        if name in ("source", "target"):
            wide = array.dtype == np.int32
        if array.dtype.kind not in kinds or array.ndim not in dimensions or not wide:
            raise damaged(
                folder / f"{name}.npy", f"is {array.dtype} of shape {array.shape}: not its form"
            )


def _offsets(store: PackedStore, folder: Path) -> None:
    for name in ("node_ptr", "relation_ptr", "edge_ptr", "label_ptr"):
        ptr = getattr(store, name)
        if ptr is None:
            continue
        wrong = len(ptr) != len(store.node_ptr) or len(ptr) < 2
        if wrong or ptr[0] != 0 or (np.diff(ptr) < (name == "node_ptr")).any():
            raise damaged(folder / f"{name}.npy", "is damaged")


def _lengths(store: PackedStore, folder: Path) -> None:
    nodes, held = int(store.node_ptr[-1]), int(store.relation_ptr[-1])
    edges, pairs = int(store.edge_ptr[-1]), store.label_ptr
    rows = {"degree": nodes, "node": nodes, "encoding": nodes, "source": held, "target": held}
    rows |= {"edge": held, "relation_of": edges, "backward": edges, "y": int(store.row_ptr[-1])}
    rows |= {"label_index": 0 if pairs is None else int(pairs[-1]), "ids": len(store)}
    for name, wanted in rows.items():
        array = getattr(store, name)
        if array is not None and len(array) != wanted:
            raise damaged(
                folder / f"{name}.npy", f"has {len(array)} rows, the graphs ask for {wanted}"
            )


def _indices(store: PackedStore, folder: Path) -> None:
    nodes, held = store.sizes()
    for name, ptr, counts, what in (
        ("source", store.relation_ptr, nodes, "node"),
        ("target", store.relation_ptr, nodes, "node"),
        ("relation_of", store.edge_ptr, held, "relation"),
        ("label_index", store.label_ptr, nodes, "node"),
    ):
        array = getattr(store, name)
        if array is None or ptr is None:
            continue

        def outside(rows: Array, begin: int, ptr: Int64 = ptr, counts: Int64 = counts) -> Array:
            bound = counts[owner(ptr, np.arange(begin, begin + len(rows)))]
            found: Array = (rows < 0) | (rows >= bound.reshape(-1, *[1] * (rows.ndim - 1)))
            return found

        if find(array, outside):
            raise damaged(folder / f"{name}.npy", f"names a {what} that its graph has not")


def _fits_schema(store: PackedStore, schema: Schema, folder: Path) -> None:
    """What the card says twice, once of the network and once of the arrays."""
    pairs = () if store.label_index is None else store.label_index.shape[1:]
    named = schema.task.pairs
    if (
        store.level != schema.task.level
        or store.undirected != (schema.relations == "undirected")
        or pairs != ((2,) if named else ())
        or named != (store.label_ptr is not None)
        or (named and store.level != "edge")
    ):
        raise damaged(folder / "dataset.json", "contradicts the arrays beside it")


def _columns(rows: Array | None, features: Features, file: Path) -> None:
    """As many columns as the schema says, of codes that it knows or of finite numbers."""
    codes = features.kind == "codes"
    width = len(features.sizes) if codes else features.width
    if rows is None or features.kind == "none":
        if rows is not None or features.kind != "none":
            raise damaged(file, "is there" if rows is not None else "is missing")
        return
    if width < 1 or rows.shape[1] != width or (rows.dtype.kind == "f") == codes:
        raise damaged(file, f"is {rows.dtype} of {rows.shape[1]} columns, not {features}")
    if codes:
        sizes = np.array(features.sizes)
        wrong = find(rows, lambda block, _: (block < 0) | (block > sizes))
        told = "the codes are not so many"
    else:
        wrong, told = find(rows, not_finite), "features are finite (float32)"
    if wrong:
        raise damaged(file, f"holds {rows[wrong]} in row {wrong[0]}, column {wrong[1]}: {told}")
