"""ONNX, for any numbers of nodes, edges and graphs."""

import importlib.util
import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch
from torch.export import ExportedProgram
from torch.onnx import ONNXProgram

from argnp.errors import UserError
from argnp.model.export.module import Exported
from argnp.model.export.program import trace
from argnp.model.export.shape import Shape
from argnp.runs.files import whole


def save_onnx(exported: Exported, path: Path) -> list[Path]:
    """Write an ``.onnx``; see `convert`. Returns the path."""
    for package in ("onnx", "onnxscript"):
        if importlib.util.find_spec(package) is None:
            raise UserError(f"{path}: ONNX needs {package}: pip install 'argnp[onnx]'")
    converted = convert(trace(exported), exported.shape)
    with whole(path) as part:
        converted.save(part)
    return [path]


def convert(program: ExportedProgram, shape: Shape) -> ONNXProgram:
    """ONNX whose inputs have the names of the written-out ``forward``'s arguments.

    Its output is ``values`` or ``logits``; its metadata say the task and the labels.
    """
    task = shape.schema.task
    with _quiet():
        converted = torch.onnx.export(
            program,
            dynamo=True,
            verbose=False,
            input_names=list(shape.arguments),
            output_names=["values" if task.kind == "regression" else "logits"],
        )
    assert converted is not None
    converted.model.metadata_props["task"] = task.name
    converted.model.metadata_props["labels"] = json.dumps(task.labels)
    return converted


@contextmanager
def _quiet() -> Iterator[None]:
    """The converter speaks of its own future and of packages that nothing here uses."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "onnx_ir")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "`isinstance\\(treespec, LeafSpec\\)", FutureWarning)
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
