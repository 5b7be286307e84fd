"""Batches of a split, in an order that seed and epoch determine."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from argnp.data.batch import GraphBatch
from argnp.data.dataset import Dataset, GraphSource

Int64 = NDArray[np.int64]


class RowSource(GraphSource, Protocol):
    """A source whose target rows can be split, not only its graphs."""

    def owners(self, rows: Int64) -> Int64:
        """Numbers of the graphs that own these rows."""
        ...


@dataclass(frozen=True)
class Loader:
    """Cuts batches of ``batch_size`` graphs out of a source.

    ``items`` are graph numbers, or target rows where ``by_row``: then batches hold whole graphs
    that own such rows, and only these rows count. ``training`` shuffles and gives the source
    its random generator. The same (seed, epoch) gives the same batches, whatever came before.
    """

    source: GraphSource
    items: Int64
    batch_size: int
    training: bool = False
    by_row: bool = False
    seed: int = 0

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        items: Int64,
        batch_size: int,
        *,
        training: bool = False,
        seed: int = 0,
    ) -> "Loader":
        """Of these items of a dataset: one of its splits, or a part of one."""
        return cls(dataset.source, items, batch_size, training, dataset.by_row, seed)

    def graphs(self) -> Int64:
        """The graphs that batches are made of, ascending or as given."""
        return cast(RowSource, self.source).owners(self.items) if self.by_row else self.items

    def __len__(self) -> int:
        """Batches an epoch."""
        return ceil(len(self.graphs()) / self.batch_size)

    def epoch(self, number: int) -> Iterator[GraphBatch]:
        """The batches of an epoch; the last one may be smaller."""
        rng = np.random.default_rng((self.seed, number)) if self.training else None
        graphs = self.graphs()
        if rng is not None:
            graphs = rng.permutation(graphs)
        rows = self.items if self.by_row else None
        for begin in range(0, len(graphs), self.batch_size):
            yield self.source.batch(graphs[begin : begin + self.batch_size], rng=rng, rows=rows)
