"""A packaged model, exported."""

from pathlib import Path

import msgspec

from argnp.model.export.formats import export, format_of
from argnp.model.load import load_model
from argnp.model.model import Model


def export_model(model: Model, to: Path) -> list[Path]:
    """Write what the model predicts by default, all networks of an ensemble or the first.

    Returns the files written.
    """
    manifest, schema = model.manifest, model.schema
    if schema.task.kind != "classification" and not schema.task.labels:
        task = msgspec.structs.replace(schema.task, labels=manifest.target_names)
        schema = msgspec.structs.replace(schema, task=task)
    networks = model.networks if manifest.ensemble else model.networks[:1]
    return export(networks, model.architecture, schema, manifest.widths, manifest.scaling, to)


def export_folder(folder: Path, to: Path) -> list[Path]:
    """As `export_model`, of a run folder or a ``model/`` folder."""
    format_of(to)
    return export_model(load_model(folder, kernels="torch"), to)
