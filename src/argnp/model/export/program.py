"""torch.export: the network as a graph of operators, for any numbers of nodes and edges."""

import io
from pathlib import Path
from typing import Any

import torch
from torch.export import Dim, ExportedProgram
from torch.fx.experimental import _config as shapes

from argnp.model.export.example import example
from argnp.model.export.module import Exported
from argnp.runs.files import write_whole

_DYNAMIC: dict[str, Any] = {
    "x": {0: Dim.DYNAMIC},
    "edge_index": {1: Dim.DYNAMIC},
    "edge_attr": {0: Dim.DYNAMIC},
    "encoding": {0: Dim.DYNAMIC},
    "edge_label_index": {1: Dim.DYNAMIC},
    "batch": {0: Dim.DYNAMIC},
    "num_graphs": Dim.DYNAMIC,
}


def trace(exported: Exported) -> ExportedProgram:
    """The program; nodes, edges, pairs and graphs may be any number, 0 and 1 included."""
    arguments = example(exported.shape, next(iter(exported.state.values())).dtype)
    dynamic = {name: _DYNAMIC[name] for name in arguments}
    # Otherwise the program would be held to two or more of everything.
    with shapes.patch(backed_size_oblivious=True):  # type: ignore[attr-defined]
        program = torch.export.export(
            exported.module(), (), kwargs=arguments, dynamic_shapes=dynamic
        )
    # Traces hold paths of the machine they were made on, and both formats would keep them.
    for node in program.graph.nodes:
        node.meta.pop("stack_trace", None)
    return program


def save_program(exported: Exported, path: Path) -> list[Path]:
    """Write a ``.pt2``; `torch.export.load` reads it. Returns the path."""
    content = io.BytesIO()
    torch.export.save(trace(exported), content)
    write_whole(path, content.getvalue())
    return [path]
