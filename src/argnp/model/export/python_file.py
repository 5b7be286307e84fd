"""A Python file and its weights beside it."""

from pathlib import Path

from safetensors.torch import save

from argnp.model.export.module import Exported
from argnp.runs.files import write_whole


def save_python(exported: Exported, path: Path) -> list[Path]:
    """Write ``path`` and, with the same name, ``.safetensors``; returns both."""
    weights = path.with_suffix(".safetensors")
    write_whole(weights, save(exported.state))
    write_whole(path, exported.text)
    return [path, weights]
