"""``argnp evaluate``: metrics of a packaged model on labelled data."""

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from argnp.data.dataset import Dataset, Split
from argnp.errors import UserError
from argnp.model.evaluate import Evaluation, evaluate_source, evaluate_split
from argnp.model.load import load_model
from argnp.model.model import Model
from argnp.model.smiles import featurizer_of, smiles_column
from argnp.nets.cores import Kernels
from argnp.runs.folder import RunFolder
from argnp.workflows.open_data import is_table, open_data, without_idle
from argnp.workflows.outcome import Outcome, table
from argnp.workflows.settings import DataSettings, Settings
from argnp.workflows.unlabelled import open_unlabelled


@dataclass(frozen=True)
class EvaluateCall:
    """``split`` None: all there is. ``targets``: columns, where they are called otherwise."""

    model: Path
    data: str
    split: Split | None = None
    targets: Sequence[str] = ()
    smiles_column: str | None = None
    splits_column: str | None = None
    ensemble: bool | None = None
    root: str | None = None
    graphs: str | None = None
    seed: int | None = None
    kernels: Kernels = "auto"


@dataclass(frozen=True)
class _Judged:
    """An evaluation, with what could not be read: how many rows, and an example."""

    evaluation: Evaluation
    rejected: int = 0
    example: str = ""


def evaluate_command(call: EvaluateCall) -> Outcome:
    """All metrics that fit the task."""
    model = load_model(call.model, kernels=call.kernels)
    if call.split is not None:
        judged = _Judged(_on_split(model, call, call.split))
    elif is_table(call.data):
        judged = _on_table(model, call)
    else:
        judged = _Judged(_on_all(model, call))
    evaluation = judged.evaluation
    rows = [
        [f"{name}{' *' if name == model.manifest.metric else ''}", f"{value:.6g}"]
        for name, value in evaluation.metrics.items()
    ]
    rejected = f", {judged.rejected} rejected ({judged.example})" if judged.rejected else ""
    what = f"{call.split} split of {call.data}" if call.split else call.data
    unit = "row" if is_table(call.data) else model.schema.task.level
    text = f"{what}: {evaluation.rows:,} {unit}s with a target{rejected}"
    return Outcome(
        f"{text}\n{table(['metric', 'value'], rows)}\n* what validation judged by",
        {
            "data": call.data,
            "split": call.split,
            "metric": model.manifest.metric,
            "metrics": {
                name: value if math.isfinite(value) else None
                for name, value in evaluation.metrics.items()
            },
            "rows": evaluation.rows,
            "graphs": evaluation.graphs,
            "rejected": judged.rejected,
            "networks": len(model.networks) if model.uses_ensemble(call.ensemble) else 1,
        },
    )


def _on_all(model: Model, call: EvaluateCall) -> Evaluation:
    data = open_unlabelled(
        call.data, model.schema, root=call.root, graphs=call.graphs, seed=call.seed or 0
    )
    if isinstance(data, Dataset):
        return evaluate_split(model, data, None, ensemble=call.ensemble)
    return evaluate_source(model, model.open(data, targets=True), ensemble=call.ensemble)


def _on_table(model: Model, call: EvaluateCall) -> _Judged:
    """Every row that has a molecule and a target."""
    from argnp.data.molecules.convert import convert
    from argnp.data.molecules.rejected import list_rejected
    from argnp.data.molecules.rows import read_rows
    from argnp.data.molecules.table import open_table

    featurizer = featurizer_of(model.manifest.molecules)
    rows = read_rows(
        call.data,
        targets=call.targets or model.manifest.target_names,
        smiles_column=smiles_column(model, open_table(call.data), call.smiles_column),
        task=model.schema.task.name,
    )
    converted = convert(rows.smiles, featurizer)
    rejected = list_rejected(rows, converted)
    usable = ~rows.targets.missing
    usable[list(rows.targets.bad)] = False
    converted = converted.take(usable[converted.places])
    if not len(converted.places):
        raise UserError(f"{call.data}: no row has a valid molecule and a target")
    raw = replace(
        converted.graphs(featurizer),
        y=rows.targets.y[converted.places],
        labels=rows.targets.labels,
        ids=converted.places + 1,
    )
    evaluation = evaluate_source(model, model.open(raw, targets=True), ensemble=call.ensemble)
    example = f"the first: row {rejected[0].row}, {rejected[0].reason}" if rejected else ""
    return _Judged(evaluation, len(rejected), example)


def _on_split(model: Model, call: EvaluateCall, split: Split) -> Evaluation:
    """As the run divided its data; without a run folder, as the data itself is divided."""
    file = RunFolder(call.model).config
    if file.is_file():
        run = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Settings, strict=False)
        settings, seed = run.data, run.seed
    else:
        settings, seed = _settings(model), 0
        if is_table(call.data) and call.splits_column is None:
            raise UserError(
                f"--split {split}: a model folder does not know how the run divided its data; "
                "name the run folder, or the table's --splits-column"
            )
    changes: dict[str, Any] = {
        "smiles_column": call.smiles_column,
        "target": tuple(call.targets) or None,
        "root": call.root,
        "graphs": call.graphs,
        "splits_column": call.splits_column,
    }
    if call.splits_column is not None:
        settings = msgspec.structs.replace(settings, split=None, split_file=None)
    settings = msgspec.structs.replace(
        settings, data=call.data, **{name: v for name, v in changes.items() if v is not None}
    )
    opened = open_data(without_idle(settings), seed if call.seed is None else call.seed)
    return evaluate_split(model, opened.dataset, split, ensemble=call.ensemble)


def _settings(model: Model) -> DataSettings:
    """How the data of the model is read, as far as the model knows."""
    schema, manifest = model.schema, model.manifest
    encoding = schema.encoding
    molecules = manifest.molecules
    return DataSettings(
        target=manifest.target_names,
        featurizer=featurizer_of(molecules).name if molecules else "rich",
        task=schema.task.name,
        relations="off" if schema.relations == "off" else "auto",
        encoding="none" if encoding.kind == "none" else f"{encoding.kind}:{encoding.width}",
    )
