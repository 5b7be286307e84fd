"""With what a run was made: the command, and the versions that computed it."""

import platform
import shlex
import sys
from pathlib import Path
from typing import Any, Final

import torch

import argnp

_PROGRAMS: Final = ("argnp", "argnp.exe", "argnp-script.py")
_MODULES: Final = ("__main__.py", "cli/main.py")  # of the package, run with ``python -m``


def command_line() -> str | None:
    """What was typed; None where the library was called from a program of the user's own."""
    program = Path(sys.argv[0] if sys.argv else "")
    package = Path(argnp.__file__).parent
    if program.name not in _PROGRAMS and program not in [package / name for name in _MODULES]:
        return None
    return shlex.join(["argnp", *sys.argv[1:]])


def environment() -> dict[str, Any]:
    """What the numbers of a run may depend on, beside its settings and data."""
    return {
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "platform": platform.platform(),
        "threads": torch.get_num_threads(),
    }
