"""Which positional encoding a run uses."""

import numpy as np

from argnp.data.dataset import Dataset
from argnp.data.schema import Encoding
from argnp.errors import UserError

_SMALL = 64  # nodes of a graph in which a walk of 16 steps still tells places apart
_WALK = Encoding("rwse", 16)


def parse_encoding(text: str) -> Encoding | None:
    """``lap:8``, ``rwse:20``, ``none``; None for ``auto``."""
    if text == "auto":
        return None
    if text == "none":
        return Encoding()
    kind, _, width = text.partition(":")
    if kind in ("lap", "rwse") and width.isdigit() and int(width) > 0:
        return Encoding("lap" if kind == "lap" else "rwse", int(width))
    raise UserError(f"--pe {text}: lap:K, rwse:K, none or auto is expected, as lap:8")


def suitable_encoding(dataset: Dataset) -> Encoding:
    """What ``auto`` means: 16 return probabilities where whole small graphs are judged.

    Return probabilities tell rings and chains apart, which message passing alone cannot. Large
    graphs, given coordinates and targets on nodes or edges do without.
    """
    schema = dataset.schema
    nodes, _ = dataset.source.sizes()
    coordinates = schema.node.kind == "floats"
    small = len(nodes) > 0 and float(np.mean(nodes)) <= _SMALL
    if schema.task.level == "graph" and small and not coordinates:
        return _WALK
    return Encoding()


MOLECULES = _WALK
