"""What the report shows of the chosen network: ``report/*.json`` of a run folder."""

from collections.abc import Sequence

import msgspec

from argnp.data.schema import Task
from argnp.model.explain import explain_batch
from argnp.model.explain_gradients import LARGEST, METHOD
from argnp.model.explain_result import Explanation
from argnp.nets.network import Network
from argnp.report.extras import FOLDER
from argnp.runs.files import clear_disk_errors, write_whole
from argnp.workflows.context import Context
from argnp.workflows.extras_examples import Example, chosen_how, examples
from argnp.workflows.extras_predictions import predictions
from argnp.workflows.extras_shown import Json, kind_of, mattered, part_of, view
from argnp.workflows.fit import Fitted
from argnp.workflows.open_data import Opened


def write_extras(context: Context, fitted: Fitted, opened: Opened) -> None:
    """Predictions of the test set, and a few of its examples from inside and explained.

    Nothing is written where the run keeps no folder.
    """
    if context.folder is None:
        return
    task = context.dataset.schema.task
    names = _names(task, opened)
    networks = [candidate.network for candidate in fitted.predicting]
    told = chosen_how(task, by_row=context.dataset.by_row)
    views: list[Json] = []
    explained: list[Json] = []
    kind = "graph"
    for example in examples(opened):
        found = _explained(context, networks, example, names)
        part = part_of(example, found)
        kind = kind_of(example)
        views.append(view(networks[0], example, part))
        if found is not None:
            explained.append(mattered(found, example, part, task, names))
    contents: dict[str, Json] = {"predictions": predictions(fitted.tested, names)}
    if views:
        contents["features"] = {"kind": kind, "of": told, "examples": views}
    if explained:
        contents["explain"] = {"method": METHOD, "of": told, "examples": explained}
    folder = context.folder.path / FOLDER
    with clear_disk_errors(folder):
        folder.mkdir(exist_ok=True)
    for name, content in contents.items():
        write_whole(folder / f"{name}.json", msgspec.json.encode(content) + b"\n")


def _names(task: Task, opened: Opened) -> tuple[str, ...]:
    """Of every output."""
    if len(task.labels) == task.outputs:
        return task.labels
    molecules = opened.molecules
    if molecules is not None and len(molecules.target_names) == task.outputs:
        return molecules.target_names
    if task.kind == "classification":
        return tuple(str(c) for c in range(task.outputs))
    return ("target",) if task.outputs == 1 else tuple(f"target {c}" for c in range(task.outputs))


def _explained(
    context: Context, networks: Sequence[Network], example: Example, names: tuple[str, ...]
) -> Explanation | None:
    """None for a graph that is too large."""
    topology = example.batch.topology
    if topology.num_nodes + topology.num_relations > LARGEST:
        return None
    return explain_batch(
        networks,
        example.batch,
        context.dataset.schema.task,
        scaling=context.scaling,
        names=names,
        row=example.row,
    )
