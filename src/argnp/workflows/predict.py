"""``argnp predict``: from a model folder and unlabelled data to a file of predictions."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch

from argnp.errors import UserError
from argnp.model.columns import Columns, free, merged, reasons, to_columns
from argnp.model.load import load_model
from argnp.model.model import Model
from argnp.model.predicted import Predicted, finite, join, predict_source
from argnp.model.smiles import predict_table, smiles_column
from argnp.model.writers import ARRAYS, check_output, save_arrays, table_writer
from argnp.nets.cores import Kernels
from argnp.workflows.console import Console, console
from argnp.workflows.open_data import is_table
from argnp.workflows.outcome import Outcome
from argnp.workflows.unlabelled import open_unlabelled

_EVERY: Final = 5.0  # seconds between lines of progress
_GIVEN: Final = "_given"  # ends a copied column's name that a prediction takes


@dataclass(frozen=True)
class PredictCall:
    """``ensemble`` None: as the model was evaluated. ``keep``: columns copied from a table."""

    model: Path
    data: str
    output: Path
    keep: Sequence[str] = ()
    smiles_column: str | None = None
    ensemble: bool | None = None
    root: str | None = None
    graphs: str | None = None
    seed: int = 0
    kernels: Kernels = "auto"
    workers: int | None = None
    quiet: bool = False


@dataclass(frozen=True)
class Piece:
    """Some consecutive rows: what is written of them, and what was predicted."""

    columns: Columns
    predicted: Predicted


def predict_command(call: PredictCall) -> Outcome:
    """Writes a row per row of a table, or per graph, node or edge of a dataset.

    The file is there when all of it is: an error or Ctrl-C leaves nothing.
    """
    check_output(call.output, arrays=not is_table(call.data), source=call.data)
    model = load_model(call.model, kernels=call.kernels)
    model.uses_ensemble(call.ensemble)
    rows, bad, last = 0, 0, ""
    began = time.monotonic()
    with closing(console(quiet=call.quiet)) as screen, _cores_left(call):
        pieces = _told(
            screen, _of_table(model, call) if is_table(call.data) else _of_graphs(model, call)
        )
        if call.output.suffix.lower() in ARRAYS:
            whole = join([piece.predicted for piece in pieces], model.schema.task.outputs)
            save_arrays(call.output, whole)
            rows = len(whole.values)
        else:
            with table_writer(call.output) as write:
                for piece in pieces:
                    write(piece.columns)
                    rows += len(piece.predicted.values)
                    bad += len(piece.predicted.reasons)
                    last = [*piece.columns][-1]
    seconds = time.monotonic() - began
    without = f", {bad:,} of them without a prediction: see column {last}" if bad else ""
    return Outcome(
        f"{call.output}: {rows:,} rows{without}",
        {"output": str(call.output), "rows": rows, "bad": bad, "seconds": round(seconds, 3)},
    )


@contextmanager
def _cores_left(call: PredictCall) -> Iterator[None]:
    """The network computes with the cores that the processes reading SMILES leave to it.

    Threads that wait for each other on a core that is taken cost more than they bring.
    """
    from argnp.data.molecules.convert import stream_workers

    before = torch.get_num_threads()
    if is_table(call.data):
        workers = stream_workers() if call.workers is None else call.workers
        torch.set_num_threads(max(1, before - workers))
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _of_table(model: Model, call: PredictCall) -> Iterator[Piece]:
    """The SMILES and the kept columns, the predictions, the reason where there is none."""
    from argnp.data.molecules.table import open_table

    table = open_table(call.data)
    column = smiles_column(model, table, call.smiles_column)
    copied = list(dict.fromkeys([column, *map(table.require, call.keep)]))
    names = _names_of_copies(copied, _columns(model, _nothing(model, call)))
    found = predict_table(
        model, table, column, keep=copied, ensemble=call.ensemble, workers=call.workers
    )
    empty = True
    for chunk, predicted in found:
        empty = False
        given = {names[name]: chunk.columns[name] for name in copied}
        yield Piece({**given, **_columns(model, predicted)}, predicted)
    if empty:
        raise UserError(f"{call.data}: no rows below the header")


def _of_graphs(model: Model, call: PredictCall) -> Iterator[Piece]:
    """What a row is of (graph, node or source and target), and its prediction."""
    if call.keep or call.smiles_column:
        raise UserError(f"{call.data}: --keep and --smiles-column are for tables, this is none")
    data = open_unlabelled(
        call.data, model.schema, root=call.root, graphs=call.graphs, seed=call.seed
    )
    found = predict_source(model.module, model.open(data), ensemble=call.ensemble)
    for predicted in map(finite, found):
        yield Piece(merged(dict(predicted.index), _columns(model, predicted)), predicted)


def _columns(model: Model, predicted: Predicted) -> Columns:
    """What was predicted; last, why not where it was not."""
    return merged(to_columns(model.manifest, predicted), reasons(predicted))


def _nothing(model: Model, call: PredictCall) -> Predicted:
    """No rows, with the columns that there are going to be."""
    none = np.empty((0, model.schema.task.outputs), np.float32)
    return Predicted(none, none if model.uses_ensemble(call.ensemble) else None)


def _names_of_copies(copied: Sequence[str], taken: Iterable[str]) -> dict[str, str]:
    """Copied columns by their names; another one where a prediction has that name."""
    predicted = {*taken}
    names: dict[str, str] = {}
    for name in copied:
        others = {*predicted, *names.values(), *copied} - {name}
        names[name] = free(f"{name}{_GIVEN}", others) if name in predicted else name
    return names


def _told(screen: Console, pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Now and then, a line that says how far it is."""
    began = last = time.monotonic()
    rows = 0
    for piece in pieces:
        yield piece
        rows += len(piece.predicted.values)
        now = time.monotonic()
        if now - last >= _EVERY:
            screen.line(f"{rows:,} rows, {rows / (now - began):,.0f} rows/s")
            last = now
