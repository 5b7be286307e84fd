"""Many graphs as plain arrays, before anything is decided about them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.data.schema import Level

Array = NDArray[Any]


@dataclass(frozen=True)
class RawGraphs:
    """Graphs laid end to end: N nodes, M directed edges, T target rows.

    Graph ``g`` owns the nodes ``node_ptr[g]:node_ptr[g + 1]`` and the edges
    ``edge_ptr[g]:edge_ptr[g + 1]``. ``edge_index`` counts nodes from 0 within each graph.

    ``y`` has a row per graph, node or directed edge, as ``level`` says, or per column of
    ``edge_label_index`` (an edge task that names its own node pairs; ``edge_label_ptr`` says
    which graph owns which). Integers are classes, -1 where missing; floats are numbers, NaN
    where missing.

    ``labels`` names the classes, or the target columns. ``node_sizes`` and ``edge_sizes`` fix
    how many codes every feature column has; without them the training graphs decide. ``ids``
    are the graphs' row numbers in the file they come from, named in messages. Graphs of one
    group never part in a grouped split.
    """

    node_ptr: NDArray[np.int64]  # (G + 1,)
    edge_ptr: NDArray[np.int64]  # (G + 1,)
    edge_index: NDArray[np.int32]  # (2, M)
    x: Array | None = None  # (N, columns) integer or float
    edge_attr: Array | None = None  # (M, columns) integer or float
    y: Array | None = None  # (T,) or (T, columns)
    level: Level = "graph"
    pos: Array | None = None  # (N, dimensions) float: joins x where x is float or absent
    edge_label_index: NDArray[np.int32] | None = None  # (2, T), counted within each graph
    edge_label_ptr: NDArray[np.int64] | None = None  # (G + 1,)
    labels: tuple[str, ...] = ()
    node_sizes: tuple[int, ...] | None = None
    edge_sizes: tuple[int, ...] | None = None
    ids: NDArray[np.int64] | None = None  # (G,)
    groups: NDArray[np.int64] | None = None  # (G,)

    @property
    def num_graphs(self) -> int:
        return len(self.node_ptr) - 1

    @property
    def num_nodes(self) -> int:
        return int(self.node_ptr[-1])

    @property
    def num_edges(self) -> int:
        """Directed edges."""
        return int(self.edge_ptr[-1])

    @property
    def row_ptr(self) -> NDArray[np.int64]:
        """(G + 1,) which target rows belong to which graph."""
        if self.level == "graph":
            return np.arange(self.num_graphs + 1, dtype=np.int64)
        if self.level == "node":
            return self.node_ptr
        return self.edge_ptr if self.edge_label_ptr is None else self.edge_label_ptr

    def called(self, graph: int) -> str:
        """How a message names a graph: ``graph 17``, or ``row 17`` of the file."""
        return f"graph {graph}" if self.ids is None else f"row {int(self.ids[graph])}"

    def row_called(self, row: int) -> str:
        """How a message names a target row: ``graph 17``, ``graph 17, node 3``."""
        graph = int(np.searchsorted(self.row_ptr, row, side="right")) - 1
        if self.level == "graph":
            return self.called(graph)
        return f"{self.called(graph)}, {self.level} {row - int(self.row_ptr[graph])}"


def owner(ptr: NDArray[np.int64], items: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """The graph that owns each item (all of them, in order, by default)."""
    if items is None:
        return np.repeat(np.arange(len(ptr) - 1, dtype=np.int64), np.diff(ptr))
    return np.searchsorted(ptr, items, side="right").astype(np.int64) - 1
