"""Columns of nodes and edges: codes or numbers, inferred once, applied ever after."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.data.raw import Array, RawGraphs
from argnp.data.schema import Features
from argnp.errors import UserError

MOST_CODES = 1000  # in a column; beyond, integers are quantities
MOST_CODE_COLUMNS = 64  # each is an embedding; beyond, integers are indicators or counts


def node_columns(raw: RawGraphs) -> Array | None:
    """Node features, with positions joined where both are real numbers."""
    if raw.pos is None or (raw.x is not None and raw.x.dtype.kind != "f"):
        return raw.x
    pos = raw.pos.astype(np.float32)
    return pos if raw.x is None else np.concatenate([raw.x, pos], axis=1)


def infer_features(
    rows: Array | None, fixed: tuple[int, ...] | None, training: NDArray[np.bool_]
) -> Features:
    """Codes where columns are integers of few values, as the ``training`` rows show them."""
    if rows is None or rows.shape[1] == 0:
        return Features("none")
    if fixed is not None:
        return Features("codes", sizes=fixed)
    seen = rows[training]
    if rows.dtype.kind == "f" or rows.shape[1] > MOST_CODE_COLUMNS:
        return Features("floats", width=rows.shape[1])
    if not len(seen):
        return Features("codes", sizes=(1,) * rows.shape[1])
    if seen.min() < 0 or seen.max() >= MOST_CODES:
        return Features("floats", width=rows.shape[1])
    return Features("codes", sizes=tuple(int(top) + 1 for top in seen.max(axis=0)))


def pack_features(
    rows: Array | None, features: Features, pick: NDArray[np.int64] | None = None
) -> Array | None:
    """Rows as the store keeps them: small integers, unknown codes replaced, or float32.

    ``pick`` chooses and orders rows.
    """
    if features.kind == "none" or rows is None:
        return None
    if pick is not None:
        rows = rows[pick]
    if features.kind == "floats":
        return np.ascontiguousarray(rows, dtype=np.float32)
    sizes = np.array(features.sizes)
    small: Any = np.min_scalar_type(int(sizes.max()))
    return np.where((rows < 0) | (rows >= sizes), sizes, rows).astype(small)


def require(rows: Array | None, features: Features, of: str) -> None:
    """Refuses rows that do not have the columns a model was trained on."""
    width = len(features.sizes) if features.kind == "codes" else features.width
    found = 0 if rows is None else rows.shape[1]
    if found != width:
        raise UserError(
            f"{of} features have {found} columns, the model was trained on {width}; "
            "give it the columns it was trained on"
        )
    if rows is not None and features.kind == "codes" and rows.dtype.kind == "f":
        raise UserError(
            f"{of} features are real numbers, the model was trained on integer codes; "
            "give it the columns it was trained on"
        )
