"""Which format a file's ending asks for."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from argnp.arch import Architecture
from argnp.data.schema import Schema
from argnp.errors import UserError
from argnp.heads.scaling import Scaling
from argnp.model.export.module import Exported, write_out
from argnp.model.export.onnx_file import save_onnx
from argnp.model.export.program import save_program
from argnp.model.export.python_file import save_python
from argnp.nets.network import Network
from argnp.nets.widths import Widths
from argnp.runs.files import check_target

Writer = Callable[[Exported, Path], list[Path]]

_WRITERS: Final[dict[str, Writer]] = {
    ".py": save_python,
    ".onnx": save_onnx,
    ".pt2": save_program,
}


def format_of(to: Path) -> Writer:
    """What writes ``to``; a UserError where nothing can."""
    if to.suffix not in _WRITERS:
        raise UserError(
            f"{to}: the format is told by the ending: .py (readable module), .onnx or .pt2 "
            f"(torch.export), not {to.suffix or 'none at all'}"
        )
    check_target(to)
    return _WRITERS[to.suffix]


def export(
    networks: Sequence[Network],
    architecture: Architecture,
    schema: Schema,
    widths: Widths,
    scaling: Scaling | None,
    to: Path,
) -> list[Path]:
    """Write the networks (several: as an ensemble) in the format that the ending of ``to`` says.

    Returns the files written.
    """
    writer = format_of(to)
    return writer(write_out(networks, architecture, schema, widths, scaling), to)
