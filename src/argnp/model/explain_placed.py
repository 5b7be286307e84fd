"""Where the nodes of a graph are drawn, and what is written there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from argnp.model.explain_layout import Int64, Positions, layout


@dataclass(frozen=True)
class Placed:
    """``positions`` (n, 2) or (n, 3), y upwards, None where the graph has no places of its own.

    ``bonds``: order of the bond between two atoms, the smaller number first.
    """

    positions: Positions | None = None
    labels: tuple[str, ...] = ()
    bonds: Mapping[tuple[int, int], float] = field(default_factory=dict)

    def part(self, kept: Int64, pairs: Int64) -> Positions:
        """Places of the nodes ``kept``; ``pairs`` are the relations among them, renumbered."""
        if self.positions is None:
            return layout(len(kept), pairs)
        return self.positions[kept]

    def orders(self, relations: Int64) -> list[float]:
        """Bond orders of relations (R, 2); empty where there are no bonds."""
        if not self.bonds:
            return []
        return [self.bonds[min(s, t), max(s, t)] for s, t in relations.tolist()]


def molecule(smiles: str) -> Placed:
    """As RDKit draws it; without places of its own where it is too large for that."""
    from argnp.data.molecules.drawing import drawn

    drawing = drawn(smiles)
    return Placed(drawing.positions, drawing.labels, drawing.orders)
