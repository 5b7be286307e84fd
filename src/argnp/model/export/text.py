"""The text of an exported file: the pieces its classes use, and the imports all of it needs."""

import ast
import inspect
import re
from functools import cache
from types import ModuleType
from typing import Final

from argnp.model.export.pieces import ends, layers, operations, rows, scatter

# In the order in which they stand in a file.
_MODULES: Final[tuple[ModuleType, ...]] = (layers, scatter, ends, operations, rows)

# (what a text has to contain, the import it then needs), sorted as import sorters do.
IMPORTS: Final = (
    (
        ("from collections.abc import Callable", r"\bCallable\b"),
        ("from pathlib import Path", r"\bPath\b"),
    ),
    (
        ("import torch", r"\btorch\."),
        ("from torch import Tensor, nn", r"\bnn\."),
    ),
)
FUNCTIONALS: Final = ("batch_norm", "leaky_relu", "logsigmoid")


@cache
def pieces() -> dict[str, str]:
    """The source of every piece, by its name, in order."""
    found = {}
    for module in _MODULES:
        source = inspect.getsource(module)
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text = ast.get_source_segment(source, node)
                assert text is not None
                found[node.name] = text
    return found


def pieces_used(text: str) -> list[str]:
    """Sources of the pieces that the text names, and of those that they name in turn."""
    known = pieces()
    used: set[str] = set()
    open_texts = [text]
    while open_texts:
        named = _names(open_texts.pop()) & known.keys() - used
        used |= named
        open_texts += [known[name] for name in named]
    return [source for name, source in known.items() if name in used]


def imports(text: str) -> str:
    """The import lines of a file with this text."""
    blocks = [[line for line, pattern in block if re.search(pattern, text)] for block in IMPORTS]
    functionals = ", ".join(name for name in FUNCTIONALS if name in _names(text))
    blocks[-1].append(f"from torch.nn.functional import {functionals}")
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _names(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
