"""Predictions from SMILES: every one gets a row, whether it is a molecule or not."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from argnp.data.molecules.featurizer import Featurizer
from argnp.errors import UserError
from argnp.model.manifest import Molecules
from argnp.model.predicted import Predicted, Values, finite, join, predict_source

if TYPE_CHECKING:
    from argnp.data.molecules.converted import Converted
    from argnp.data.molecules.table import Chunk, Table
    from argnp.model.model import Model

CHUNK_ROWS: Final = 2048


def featurizer_of(molecules: Molecules | None) -> Featurizer:
    """The featuriser the model carries; a UserError where it was not trained on molecules."""
    if molecules is None:
        raise UserError("the model was not trained on molecules; give it graphs, not SMILES")
    return Featurizer.from_dict(molecules.featurizer)


def predict_smiles(
    model: "Model", smiles: Sequence[str], *, ensemble: bool | None = None
) -> Predicted:
    """A row per SMILES; NaN, and the reason, for what is no molecule."""
    from argnp.data.molecules.convert import convert

    converted = convert(smiles, featurizer_of(model.manifest.molecules))
    return _aligned(model, converted, len(smiles), ensemble=ensemble)


def smiles_column(model: "Model", table: "Table", told: str | None = None) -> str:
    """The column told, or the one of the training data, or the first one that parses."""
    from argnp.data.molecules.columns import find_smiles_column

    featurizer_of(model.manifest.molecules)
    if told is not None:
        return table.require(told)
    assert model.manifest.molecules is not None
    usual = model.manifest.molecules.smiles_column
    return usual if usual in table.columns else find_smiles_column(table)


def predict_table(
    model: "Model",
    table: "Table",
    column: str,
    *,
    keep: Sequence[str] = (),
    ensemble: bool | None = None,
    workers: int | None = None,
) -> "Iterator[tuple[Chunk, Predicted]]":
    """Chunk by chunk, in constant memory: the cells of ``column`` and ``keep``, and a row each."""
    from argnp.data.molecules.convert import convert_stream

    waiting: deque[Chunk] = deque()

    def texts() -> Iterator[Sequence[str]]:
        for chunk in table.chunks(list(dict.fromkeys([column, *keep])), size=CHUNK_ROWS):
            waiting.append(chunk)
            cells = chunk.columns[column]
            yield ["" if p in chunk.bad else c for p, c in enumerate(cells)] if chunk.bad else cells

    with convert_stream(
        texts(), featurizer_of(model.manifest.molecules), workers=workers
    ) as converted:
        for part in converted:
            chunk = waiting.popleft()
            found = _aligned(model, part, len(chunk.rows), ensemble=ensemble)
            yield chunk, replace(found, reasons={**found.reasons, **chunk.bad})


def read_smiles_table(model: "Model", path: Path | str, *, ensemble: bool | None) -> Predicted:
    """A whole file at once."""
    from argnp.data.molecules.table import open_table

    table = open_table(path)
    parts = predict_table(model, table, smiles_column(model, table), ensemble=ensemble)
    return join([part for _, part in parts], model.schema.task.outputs)


def _aligned(
    model: "Model", converted: "Converted", rows: int, *, ensemble: bool | None
) -> Predicted:
    outputs = model.schema.task.outputs
    reasons = dict(converted.rejected)
    if not len(converted.places):
        several = model.uses_ensemble(ensemble)
        nothing = np.full((rows, outputs), np.nan, np.float32)
        return Predicted(nothing, nothing if several else None, reasons=reasons)
    source = model.open(converted.graphs(featurizer_of(model.manifest.molecules)))
    found = join([*predict_source(model.module, source, ensemble=ensemble)], outputs)
    values, places = _spread_out(found.values, converted.places, rows), converted.places
    spread = None if found.spread is None else _spread_out(found.spread, places, rows)
    return finite(Predicted(values, spread, reasons=reasons))


def _spread_out(
    values: Values, places: "np.ndarray[tuple[int], np.dtype[np.int64]]", rows: int
) -> Values:
    full = np.full((rows, values.shape[1]), np.nan, np.float32)
    full[places] = values
    return full
