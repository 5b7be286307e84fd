"""How wide a network is, and how many weights that makes."""

from typing import Annotated

import msgspec

from argnp.arch import Architecture
from argnp.arch.count import operation_parameters
from argnp.data.schema import Features, Schema

Width = Annotated[int, msgspec.Meta(ge=1)]


class Widths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Widths of the streams inside (d_V, d_E) and of what the body hands to the head (D_V, D_E)."""

    node: Width = 50
    edge: Width = 25
    node_out: Width = 60
    edge_out: Width = 30

    def scaled(self, factor: float) -> "Widths":
        """All widths times a factor, each at least 1."""
        return Widths(*(max(1, round(factor * width)) for width in msgspec.structs.astuple(self)))


def count_parameters(
    architecture: Architecture, widths: Widths, schema: Schema, *, encoder_norm: bool = False
) -> int:
    """Weights of the network of this architecture, counted without building it."""
    relations = architecture.space.relations
    total = operation_parameters(architecture, widths.node, widths.edge)
    total += _encoder(schema.node, widths.node) + (2 * widths.node if encoder_norm else 0)
    if schema.encoding.kind != "none":
        total += (schema.encoding.width + 1) * widths.node
    if relations:
        total += _encoder(schema.edge, widths.edge)
    for cell in range(architecture.cells):
        # in0 and in1 are one stream in front of the first cell.
        blocks = len(architecture) + (1 if cell == 0 else 2)
        streams = [(widths.node, widths.node_out)]
        if relations:
            streams.append((widths.edge, widths.edge_out))
        for inner, outer in streams:
            total += blocks * inner * outer + 2 * outer
            if cell < architecture.cells - 1:
                total += outer * inner
    return total + _head(schema, widths, relations)


def _encoder(features: Features, width: int) -> int:
    if features.kind == "codes":
        return sum(size + 1 for size in features.sizes) * width
    return (max(features.width, 1) + 1) * width


def _head(schema: Schema, widths: Widths, relations: bool) -> int:
    if schema.task.level == "graph":
        width = 2 * (widths.node_out + (widths.edge_out if relations else 0))
    elif schema.task.level == "node":
        width = widths.node_out
    else:
        width = widths.edge_out if relations and not schema.task.pairs else 2 * widths.node_out
    hidden = max(1, width // (4 if schema.task.level == "graph" else 2))
    outputs = schema.task.outputs
    return width * hidden + 2 * hidden + hidden * outputs + outputs


def solve_widths(
    budget: int,
    architecture: Architecture,
    schema: Schema,
    base: Widths | None = None,
    *,
    encoder_norm: bool = False,
) -> Widths:
    """The widest widths, in the proportions of ``base``, whose network fits the budget.

    The network without relations is compared at equal weights this way: its node stream widens
    until the counts match.
    """
    base = base or Widths()

    def weights(node: int) -> int:
        widths = base.scaled(node / base.node)
        return count_parameters(architecture, widths, schema, encoder_norm=encoder_norm)

    def fits(node: int) -> bool:
        return weights(node) <= budget

    low, high = 1, 2
    if not fits(low):
        raise ValueError(
            f"{budget} weights are too few: the narrowest network of {architecture.size} vertices "
            f"has {weights(1)}"
        )
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return base.scaled(low / base.node)
