"""The decisions of a round: which are due when, on what they rest, and what they leave."""

from collections.abc import Iterable

import numpy as np

from argnp.arch import Architecture
from argnp.arch.codec import from_dict, to_dict
from argnp.arch.space import SpaceName
from argnp.differentiate.alphas import Alphas
from argnp.differentiate.decide import Criterion, Decision, Table, argmax, greedy
from argnp.train.state import State


class Deciding:
    """An architecture on its way from mixture links to operations.

    ``schedule``: after how many epochs each greedy decision falls. ``criterion`` None: all
    decisions fall at the end, by the strongest operation. ``window``: epochs whose
    distributions are remembered.
    """

    def __init__(
        self,
        supernet: Architecture,
        alphas: Alphas,
        criterion: Criterion | None,
        schedule: Iterable[int],
        window: int,
    ) -> None:
        self.architecture = supernet
        self.alphas = alphas
        self.criterion = criterion
        self.schedule = list(schedule)
        self.window = window
        self._tables: list[dict[SpaceName, list[list[float]]]] = []

    def after(self, epoch: int, *, last: bool) -> list[Decision]:
        """Remember how the alphas stand after so many epochs, and decide what is due.

        After the last epoch everything is, however early it comes.
        """
        now = {name: p.tolist() for name, p in self.alphas.probabilities().items()}
        self._tables = [*self._tables, now][-self.window :]
        due = len(self.schedule) if last else self.schedule.count(epoch)
        made: list[Decision] = []
        for name in self.architecture.space.names:
            if self.criterion is not None:
                made += self._greedily(name, due, self.criterion)
            elif last:
                table = self._distributions(name)[-1]
                self.architecture, found = argmax(self.architecture, name, table)
                made += found
        return made

    def state(self) -> State:
        return {"architecture": to_dict(self.architecture), "tables": self._tables}

    def restore(self, state: State) -> None:
        self.architecture = from_dict(state["architecture"])
        self._tables = state["tables"]

    def _greedily(self, name: SpaceName, most: int, criterion: Criterion) -> list[Decision]:
        made: list[Decision] = []
        for _ in range(most):
            found = greedy(self.architecture, name, self._distributions(name), criterion)
            if found is None:
                break
            self.architecture, decision = found
            made.append(decision)
        return made

    def _distributions(self, name: SpaceName) -> list[Table]:
        """Of the undecided links, in the remembered epochs."""
        return [
            {
                place: np.array(table[name][self.alphas.row(self.architecture, place)])
                for place in self.architecture.mixtures(name)
            }
            for table in self._tables
        ]
