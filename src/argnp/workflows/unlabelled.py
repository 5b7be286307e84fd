"""DATA as typed on the command line, for a model that exists: targets are not asked for."""

from pathlib import Path
from typing import Any

from argnp.data.benchmarks.named import is_named, load_named
from argnp.data.generators.make import open_folder
from argnp.data.schema import Schema
from argnp.errors import UserError
from argnp.workflows.open_data import TABLES, parse_counts
from argnp.workflows.own_module import import_object


def open_unlabelled(
    data: str, schema: Schema, *, root: str | None = None, graphs: str | None = None, seed: int = 0
) -> Any:
    """A Dataset, or whatever ``package.module:name`` stands for; no table.

    Relations and encoding are left to the model, which applies its own.
    """
    if is_named(data):
        return load_named(
            data,
            Path(root) if root else None,
            graphs=parse_counts(graphs),
            seed=seed,
            relations="off" if schema.relations == "off" else "auto",
            encoding=schema.encoding,
        )
    if Path(data).is_dir():
        return open_folder(Path(data))
    if ":" in data:
        return import_object(data)
    raise UserError(
        f"{data}: neither a table ({', '.join(TABLES[:3])}), a dataset's folder, a benchmark's "
        "name nor package.module:name"
    )
