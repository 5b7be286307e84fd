"""Architecture parameters: one row of numbers for every mixture link."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from argnp.arch import Architecture
from argnp.arch.graph import Place
from argnp.arch.space import SpaceName

Weights = dict[SpaceName, Tensor]


class Alphas(nn.Module):
    """(links, operations) in each space, started at 1e-3 times uniform numbers.

    ``index`` says which row belongs to which link, by (vertex, source): rows stay where they
    are while links are decided.
    """

    def __init__(self, supernet: Architecture, rng: np.random.Generator) -> None:
        super().__init__()
        self.index: dict[SpaceName, dict[tuple[int, int], int]] = {}
        self.rows = nn.ParameterDict()
        for name in supernet.space.names:
            links = [
                (place.vertex, link.source)
                for place, link in supernet.places(name)
                if not link.decided
            ]
            self.index[name] = {link: row for row, link in enumerate(links)}
            size = (len(links), len(supernet.space.operations(name)))
            self.rows[name] = nn.Parameter(torch.from_numpy(1e-3 * rng.random(size, np.float32)))
        self.adopt(supernet)

    def adopt(self, architecture: Architecture) -> None:
        """Follow a further decided state: rows of decided and of pruned links are frozen."""
        self._frozen: dict[SpaceName, Tensor] = {}
        for name in self.index:
            rows = self.rows[name]
            frozen = torch.ones(len(rows), 1, dtype=torch.bool, device=rows.device)
            for place in architecture.mixtures(name):
                frozen[self.row(architecture, place)] = False
            self._frozen[name] = frozen

    @contextmanager
    def only_open(self) -> Iterator[None]:
        """Undo what happens inside to frozen rows: an optimiser's decay and momentum move them."""
        before = {name: self.rows[name].detach().clone() for name in self.index}
        yield
        with torch.no_grad():
            for name, kept in before.items():
                rows = self.rows[name]
                rows.copy_(torch.where(self._frozen[name].to(rows.device), kept, rows))

    def probabilities(self) -> Weights:
        """softmax over the operations of each link."""
        return {name: torch.softmax(self.rows[name], 1) for name in self.index}

    def row(self, architecture: Architecture, place: Place) -> int:
        """The row of the link at this place of the architecture as it stands now."""
        link = architecture.vertex(place.vertex).links(place.space)[place.link]
        return self.index[place.space][place.vertex, link.source]

    def table(self, architecture: Architecture) -> dict[str, list[tuple[int, int, list[float]]]]:
        """(vertex, link, probabilities) of every undecided link, for the journal.

        Nine digits are all that single precision has: the decisions follow from what is kept.
        """
        with torch.no_grad():
            current = {name: table.tolist() for name, table in self.probabilities().items()}
        return {
            name: [
                (
                    place.vertex,
                    place.link,
                    [float(f"{p:.9g}") for p in current[name][self.row(architecture, place)]],
                )
                for place in architecture.mixtures(name)
            ]
            for name in self.index
        }


def flatten(weights: Weights) -> Weights:
    """Mixture weights as the body takes them: flat, with the 1 of decided links at the end."""
    return {
        name: torch.cat([table.reshape(-1), table.new_ones(1)]) for name, table in weights.items()
    }
