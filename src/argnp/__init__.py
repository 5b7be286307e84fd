"""argnp: graph neural networks that are searched for, not guessed.

    import argnp
    result = argnp.fit(dataset, task="graph-regression", size=8)
    result.metrics, result.architecture, result.predict(new_graphs)

Nothing here imports torch before it is needed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

__version__: Final = "0.1.0"

if TYPE_CHECKING:
    from argnp.arch import Architecture, Space
    from argnp.differentiate.strategies import Strategy, register_strategy
    from argnp.errors import UserError
    from argnp.model.explain import explain
    from argnp.model.load import load_model as load
    from argnp.ops.catalogue import register_node_operation, register_relation_operation
    from argnp.workflows.library import build, fit, save_dataset, search

__all__ = [
    "Architecture",
    "Space",
    "Strategy",
    "UserError",
    "__version__",
    "build",
    "explain",
    "fit",
    "load",
    "register_node_operation",
    "register_relation_operation",
    "register_strategy",
    "save_dataset",
    "search",
]

_HOMES: Final = {
    "Architecture": ("argnp.arch", "Architecture"),
    "Space": ("argnp.arch", "Space"),
    "Strategy": ("argnp.differentiate.strategies", "Strategy"),
    "UserError": ("argnp.errors", "UserError"),
    "build": ("argnp.workflows.library", "build"),
    "explain": ("argnp.model.explain", "explain"),
    "fit": ("argnp.workflows.library", "fit"),
    "load": ("argnp.model.load", "load_model"),
    "register_node_operation": ("argnp.ops.catalogue", "register_node_operation"),
    "register_relation_operation": ("argnp.ops.catalogue", "register_relation_operation"),
    "register_strategy": ("argnp.differentiate.strategies", "register_strategy"),
    "save_dataset": ("argnp.workflows.library", "save_dataset"),
    "search": ("argnp.workflows.library", "search"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'argnp' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
