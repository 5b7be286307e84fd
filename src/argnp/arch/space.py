"""The search space as a value."""

from dataclasses import dataclass, field
from typing import Literal

from argnp.arch.vocabulary import NODE_OPERATIONS, RELATION_OPERATIONS, SKIP, ZERO

SpaceName = Literal["node", "relation"]


@dataclass(frozen=True, slots=True)
class Space:
    """What may stand where: candidate operations of a link, links of a vertex, cells of a net.

    ``start_size`` says where a search begins, not what an architecture is, so it takes no part
    in comparisons.
    """

    node_operations: tuple[str, ...] = NODE_OPERATIONS
    relation_operations: tuple[str, ...] = RELATION_OPERATIONS
    inputs: int = 2
    cells: int = 1
    relations: bool = True
    start_size: int = field(default=2, compare=False)

    def __post_init__(self) -> None:
        for name in self.names:
            operations = self.operations(name)
            if len(set(operations)) != len(operations):
                raise ValueError(f"{name} operations: {', '.join(operations)}: a name stands twice")
            if not set(operations) - {ZERO}:
                raise ValueError(f"{name} operations: there is none besides {ZERO!r}")
        for number in ("inputs", "cells", "start_size"):
            if getattr(self, number) < 1:
                raise ValueError(f"{number}: {getattr(self, number)} is less than 1")
        if self.inputs > 2:
            raise ValueError(f"inputs: {self.inputs}: the first vertex has two sources only")

    @property
    def names(self) -> tuple[SpaceName, ...]:
        """The spaces that are searched."""
        return ("node", "relation") if self.relations else ("node",)

    def operations(self, name: SpaceName) -> tuple[str, ...]:
        """Candidates of a link in the named space."""
        return self.node_operations if name == "node" else self.relation_operations

    def choices(self, name: SpaceName) -> tuple[str, ...]:
        """Operations that a decision may pick: all candidates but ``zero``."""
        return tuple(op for op in self.operations(name) if op != ZERO)

    def parametric(self, name: SpaceName) -> tuple[str, ...]:
        """Candidates that have weights."""
        return tuple(op for op in self.operations(name) if op not in (ZERO, SKIP))
