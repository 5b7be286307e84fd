"""Picking whole graphs out of arrays that hold many, laid end to end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]


@dataclass(frozen=True)
class Spans:
    """Items of the picked graphs: where they stand in the store, and in the batch.

    ``index`` is a slice where the picked graphs stand side by side: no numbers are then looked up.
    """

    index: Int64 | slice
    ptr: Int64  # (B + 1,) in the batch
    counts: Int64  # (B,)

    @property
    def total(self) -> int:
        return int(self.ptr[-1])

    def start_of(self, other: "Spans") -> Int64:
        """For each item of ``other``: where its graph's items begin in this batch."""
        return np.repeat(self.ptr[:-1], other.counts)


def cut(ptr: Int64, graphs: Int64) -> Spans:
    """The items ``ptr[g]:ptr[g + 1]`` of every graph g, in order."""
    starts = ptr[graphs]
    counts = ptr[graphs + 1] - starts
    out = np.zeros(len(graphs) + 1, dtype=np.int64)
    np.cumsum(counts, out=out[1:])
    if len(graphs) and (len(graphs) == 1 or bool((np.diff(graphs) == 1).all())):
        return Spans(slice(int(starts[0]), int(starts[0] + out[-1])), out, counts)
    index = np.arange(out[-1])
    index += np.repeat(starts - out[:-1], counts)
    return Spans(index, out, counts)
