"""What the text, the weights and the example inputs of an exported network agree on."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from argnp.arch import SKIP, Architecture, Link
from argnp.arch.check import name_of
from argnp.arch.space import SpaceName
from argnp.data.schema import Schema
from argnp.errors import UserError
from argnp.heads.readout import Readout
from argnp.heads.scaling import Scaling
from argnp.model.export.operations import check
from argnp.nets.body import Streams
from argnp.nets.compile import alive
from argnp.nets.network import Network
from argnp.nets.widths import Widths

LETTER: dict[SpaceName, str] = {"node": "V", "relation": "E"}


def operation_name(space: SpaceName, vertex: int, link: Link) -> str:
    """Attribute that holds the operation of a link: ``V3_from_in0``, ``E4_from_2``."""
    return f"{LETTER[space]}{vertex}_from_{name_of(link.source)}"


@dataclass(frozen=True)
class Shape:
    """Everything about trained networks but their weights."""

    architecture: Architecture
    schema: Schema
    widths: Widths
    scaling: Scaling | None
    readout: Readout
    hidden: int  # width inside the head
    dropout: float
    encoder_norm: bool
    outputs: tuple[SpaceName, ...]  # the streams that the head reads
    members: int
    living: Streams  # in the last cell; all streams live in those before it

    @property
    def relations(self) -> bool:
        return self.architecture.space.relations

    @property
    def undirected(self) -> bool:
        return self.schema.relations == "undirected"

    @property
    def cells(self) -> int:
        return self.architecture.cells

    def cell_name(self, cell: int) -> str:
        """Attribute that holds a cell."""
        return "cell" if self.cells == 1 else f"cell{cell + 1}"

    def lives(self, space: SpaceName, vertex: int, *, last: bool) -> bool:
        """Does anything read this stream of the cell?"""
        return not last or (space, vertex) in self.living

    def links(self, space: SpaceName, vertex: int) -> tuple[Link, ...]:
        return self.architecture.vertex(vertex).links(space)

    def operations(self, space: SpaceName, vertex: int) -> list[Link]:
        """Links of a vertex that have weights."""
        return [link for link in self.links(space, vertex) if link.operation != SKIP]

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """What ``forward`` takes, in order."""
        names = ["x", "edge_index"]
        if self.relations and self.schema.edge.kind != "none":
            names.append("edge_attr")
        if self.schema.encoding.kind != "none":
            names.append("encoding")
        if self.schema.task.pairs:
            names.append("edge_label_index")
        if self.schema.task.level == "graph":
            names += ["batch", "num_graphs"]
        return tuple(names)


def shape_of(
    networks: Sequence[Network],
    architecture: Architecture,
    schema: Schema,
    widths: Widths,
    scaling: Scaling | None,
) -> Shape:
    """The shape that all these networks have."""
    check(architecture)
    if not networks:
        raise UserError("export: the model holds no trained network")
    first = networks[0]
    body, head = first.body, first.head
    return Shape(
        architecture=architecture,
        schema=schema,
        widths=widths,
        scaling=scaling,
        readout=head.readout,
        hidden=head.hidden.out_features,
        dropout=head.dropout.p,
        encoder_norm=first.encoder.node_norm is not None,
        outputs=body.outputs,
        members=len(networks),
        living=alive(body.plans, body.outputs),
    )
