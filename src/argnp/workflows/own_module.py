"""Data out of a module of the user's own."""

import importlib
import sys
import traceback
from typing import Any

from argnp.errors import UserError


def import_object(path: str) -> object:
    """What ``package.module:name`` stands for; called if it is a function or a class."""
    module, _, name = path.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")  # a module of the user's, in the folder they stand in
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(f"{path}: {error}; package.module:name is expected") from None
    except Exception as error:
        raise UserError(_fault(path, error)) from error
    # A dataset may be callable; a class of datasets has a __len__ that only its objects answer.
    is_data = hasattr(found, "__len__") and not isinstance(found, type)
    if not callable(found) or is_data:
        return found
    try:
        return found()
    except Exception as error:
        raise UserError(_fault(path, error)) from error


def _fault(path: str, error: Exception) -> str:
    """What came up, and where."""
    if isinstance(error, SyntaxError):
        where = f"{error.filename}, line {error.lineno}"
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{last.filename}, line {last.lineno}"
    said = " ".join(str(error).split())
    return f"{path}: {type(error).__name__}: {said} ({where}); call it in Python to see all of it"
