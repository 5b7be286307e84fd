"""How much memory a step takes, before it is taken.

The operating system's out-of-memory killer leaves no message, so what cannot fit is refused.
"""

from argnp.arch import ZERO, Architecture
from argnp.arch.vocabulary import SKIP
from argnp.data.schema import Features, Schema
from argnp.nets.widths import Widths

_FLOAT = 4
# Buffers of (rows, width) that stay per operation between forward and backward, by kernels: as
# the growth of the resident memory over searches on single large graphs says, rounded up.
_KEPT = {
    "fused": {"node": 7.0, "relation": 1.0},
    "torch": {"node": 7.0, "relation": 10.5},
    "reference": {"node": 12.0, "relation": 31.0},
}
# Per relation, numbers of a message that the slower paths hold while they compute one operation.
_WORK = {"fused": 0.0, "torch": 6.0, "reference": 6.0}
_BASE = 200_000_000  # torch itself, the data's arrays, allocator slack
# Batches that are there at once: one for the weights, one for the alphas.
_BATCHES = 2
# Of a row that a cell or the head gives: itself, what the norm or the loss makes of it, and the
# gradients of both.
_OUTPUTS = 4


def step_bytes(
    architecture: Architecture,
    widths: Widths,
    nodes: int,
    relations: int,
    kernels: str,
    schema: Schema,
) -> int:
    """Peak memory of a training step on a batch of so many nodes and held relations.

    Linear in rows: per operation what is kept for the backward pass, per vertex its streams and
    their gradients, what the end of a cell joins, and the data's own columns and targets.
    """
    rows = {"node": nodes, "relation": relations}
    inner = {"node": widths.node, "relation": widths.edge}
    outer = {"node": widths.node_out, "relation": widths.edge_out}
    numbers = 0.0
    for name in architecture.space.names:
        candidates = [op for op in architecture.space.operations(name) if op not in (SKIP, ZERO)]
        operations = sum(
            len(candidates) if link.operation is None else int(link.operation != SKIP)
            for _, link in architecture.places(name)
        )
        stream = rows[name] * inner[name]
        numbers += architecture.cells * stream * operations * _KEPT[kernels][name]
        # Each vertex: value, gradient, and both again in what the cell's end joins.
        numbers += architecture.cells * stream * len(architecture) * 5
        numbers += architecture.cells * rows[name] * outer[name] * _OUTPUTS
    numbers += _WORK[kernels] * max(relations * widths.node, nodes * widths.node)
    numbers += nodes * (_columns(schema.node, widths.node) + _BATCHES * schema.encoding.width)
    numbers += relations * _columns(schema.edge, widths.edge)
    of_level = {"graph": 0, "node": nodes, "edge": relations}[schema.task.level]
    numbers += of_level * schema.task.outputs * (_OUTPUTS + _BATCHES)
    return _BASE + round(_FLOAT * numbers)


def _columns(features: Features, width: int) -> int:
    """Numbers of a row of features: codes take twice the room, and an embedding each."""
    if features.kind == "codes":
        columns = len(features.sizes)
        return _BATCHES * 2 * columns + columns * width
    return _BATCHES * features.width
