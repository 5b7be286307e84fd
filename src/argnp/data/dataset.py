"""A dataset ready to train on: graphs by number, splits, and what they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from argnp.data.batch import GraphBatch
from argnp.data.schema import Schema

Split = Literal["train", "val", "test"]


class GraphSource(Protocol):
    """Graphs by number. The packed store is one; point clouds that are jittered are another."""

    def __len__(self) -> int: ...

    def batch(
        self,
        graphs: NDArray[np.int64],
        *,
        rng: np.random.Generator | None = None,
        rows: NDArray[np.int64] | None = None,
    ) -> GraphBatch:
        """The graphs of these numbers, in this order.

        ``rng`` is given while training: encodings take random signs, point clouds are jittered.
        ``rows`` (datasets split by row, not by graph): only these target rows count.
        """
        ...

    def sizes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Nodes and held relations of every graph."""
        ...


@dataclass(frozen=True)
class Dataset:
    """Graphs, their splits, and what a network has to know of them.

    ``splits`` hold graph numbers; where ``by_row`` (one graph, masked nodes), row numbers.
    ``notes`` are facts worth a line in the report: where the data came from, what was dropped.
    """

    name: str
    source: GraphSource
    splits: Mapping[Split, NDArray[np.int64]]
    schema: Schema
    metric: str
    by_row: bool = False
    fingerprint: str = ""  # hash of the content
    notes: tuple[str, ...] = field(default=())
