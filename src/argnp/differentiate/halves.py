"""Which half of the training set trains the weights, and which the alphas."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from argnp.data.batch import GraphBatch
from argnp.data.dataset import Dataset
from argnp.data.loader import Loader
from argnp.errors import UserError
from argnp.train.seeds import derive, generator


def halves(dataset: Dataset, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A seeded random half for the weights, and the held-out rest for the alphas."""
    items = dataset.splits["train"]
    if len(items) < 2:
        raise UserError(
            f"{dataset.name}: {len(items)} training item(s); a search needs 2, one to train the "
            "weights and one to judge the architecture (--strategy random needs none)"
        )
    order = generator(seed, "halves").permutation(items)
    middle = (len(order) + 1) // 2
    return np.sort(order[:middle]), np.sort(order[middle:])


class HalfBatches:
    """Batches of both halves, in orders that the seed and the epoch determine."""

    def __init__(self, dataset: Dataset, batch_size: int, seed: int) -> None:
        own, held_out = halves(dataset, seed)
        self.train = Loader.of(
            dataset, own, batch_size, training=True, seed=derive(seed, "w order")
        )
        self.held_out = Loader.of(
            dataset, held_out, batch_size, training=True, seed=derive(seed, "alpha order")
        )

    def __len__(self) -> int:
        """Steps of an epoch: batches of the weights' half."""
        return len(self.train)

    def epoch(self, number: int) -> Iterator[tuple[GraphBatch, GraphBatch]]:
        """(for the weights, for the alphas), once through the former."""
        return zip(self.train.epoch(number), self._endless(number), strict=False)

    def _endless(self, number: int) -> Iterator[GraphBatch]:
        """Held-out batches of this epoch; from the start again where there are too few."""
        while True:
            yield from self.held_out.epoch(number)
