"""Graphs as a few contiguous arrays, from which batches are cut by index arithmetic."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.data.raw import Array, owner
from argnp.data.schema import Level
from argnp.data.spans import Spans, cut
from argnp.kernels.topology import Topology

Int64 = NDArray[np.int64]


@dataclass(frozen=True)
class PackedStore:
    """N nodes and R held relations of G graphs, laid end to end. A graph source.

    Relations are sorted by target, then source, within a graph and count its nodes from 0.
    Integer arrays of features hold codes, float ones numbers. ``relation_of[e]`` is the
    relation (within its graph) that stands for the directed edge ``e`` as it came in;
    ``backward[e]`` says that the edge points from the relation's target to its source.

    ``y`` has a row per graph, node, held relation or named node pair: integers are classes
    (-1 missing), floats (T, columns) numbers (NaN missing).
    """

    node_ptr: Int64  # (G + 1,)
    relation_ptr: Int64  # (G + 1,)
    edge_ptr: Int64  # (G + 1,)
    source: NDArray[np.int32]  # (R,)
    target: NDArray[np.int32]  # (R,)
    degree: NDArray[np.float32]  # (N,) directed edges that end in the node
    relation_of: NDArray[np.int32]  # (M,)
    backward: NDArray[np.bool_]  # (M,)
    undirected: bool
    level: Level
    node: Array | None = None  # (N, columns)
    edge: Array | None = None  # (R, columns)
    encoding: NDArray[np.float32] | None = None  # (N, width)
    random_signs: bool = False  # of the encoding's columns, in training
    y: Array | None = None
    label_ptr: Int64 | None = None  # (G + 1,)
    label_index: NDArray[np.int32] | None = None  # (T, 2)
    ids: Int64 | None = None  # (G,) row numbers in the file the graphs come from

    def __len__(self) -> int:
        return len(self.node_ptr) - 1

    def sizes(self) -> tuple[Int64, Int64]:
        """Nodes and held relations of every graph."""
        return np.diff(self.node_ptr), np.diff(self.relation_ptr)

    @property
    def row_ptr(self) -> Int64:
        """(G + 1,) which target rows belong to which graph."""
        if self.level == "graph":
            return np.arange(len(self) + 1, dtype=np.int64)
        if self.level == "node":
            return self.node_ptr
        return self.relation_ptr if self.label_ptr is None else self.label_ptr

    def owners(self, rows: Int64) -> Int64:
        """Numbers of the graphs that own these target rows, each once, ascending."""
        return np.unique(owner(self.row_ptr, rows))

    def input_rows(self, graphs: Int64) -> Int64:
        """Relation, within the batch of these graphs, of every directed edge as it came in."""
        edges, relations = cut(self.edge_ptr, graphs), cut(self.relation_ptr, graphs)
        return self.relation_of[edges.index] + relations.start_of(edges)

    def batch(
        self,
        graphs: Int64,
        *,
        rng: np.random.Generator | None = None,
        rows: Int64 | None = None,
    ) -> GraphBatch:
        """The graphs of these numbers, in this order, laid end to end."""
        graphs = np.array(graphs, dtype=np.int64)
        nodes, relations = cut(self.node_ptr, graphs), cut(self.relation_ptr, graphs)
        shift = nodes.start_of(relations).astype(np.int32)
        source, target = self.source[relations.index], self.target[relations.index]
        multiplicity = None
        if self.undirected:
            multiplicity = torch.from_numpy(
                np.where(source == target, np.float32(1), np.float32(2))
            )
        topology = Topology(
            num_nodes=nodes.total,
            source=torch.from_numpy(source + shift),
            target=torch.from_numpy(target + shift),
            node_ptr=torch.from_numpy(nodes.ptr.astype(np.int32)),
            relation_ptr=torch.from_numpy(relations.ptr.astype(np.int32)),
            degree=_tensor(self.degree, nodes, np.float32),
            undirected=self.undirected,
            multiplicity=multiplicity,
        )
        target_rows = self._target_rows(graphs, nodes, relations)
        targets, weight = self._targets(target_rows, rows)
        return GraphBatch(
            topology=topology,
            node=_features(self.node, nodes),
            edge=_features(self.edge, relations),
            encoding=self._encoding(nodes, rng),
            target=targets,
            weight=weight,
            edge_label_index=self._label_index(target_rows, nodes),
            graph=torch.from_numpy(graphs),
        )

    def _encoding(self, nodes: Spans, rng: np.random.Generator | None) -> Tensor | None:
        if self.encoding is None:
            return None
        values = self.encoding[nodes.index].astype(np.float32)
        if rng is not None and self.random_signs:
            shape = (len(nodes.counts), values.shape[1])
            signs = rng.integers(0, 2, size=shape).astype(np.float32) * 2 - 1
            values *= np.repeat(signs, nodes.counts, axis=0)
        return torch.from_numpy(values)

    def _target_rows(self, graphs: Int64, nodes: Spans, relations: Spans) -> Spans:
        if self.level == "graph":
            return cut(self.row_ptr, graphs)
        if self.level == "node":
            return nodes
        return relations if self.label_ptr is None else cut(self.label_ptr, graphs)

    def _targets(self, spans: Spans, rows: Int64 | None) -> tuple[Tensor | None, Tensor | None]:
        """Targets with 0 in place of what is missing, and weights if any is not 1."""
        if self.y is None:
            return None, None
        y = self.y[spans.index]
        classes = y.dtype.kind != "f"
        known = y >= 0 if classes else ~np.isnan(y)
        if rows is not None:
            counted = np.zeros(len(self.y), dtype=bool)
            counted[rows] = True
            known &= counted[spans.index] if classes else counted[spans.index][:, None]
        dtype: Any = np.int64 if classes else np.float32
        if known.all():
            return torch.from_numpy(y.astype(dtype)), None
        values = np.where(known, y, 0).astype(dtype)
        return torch.from_numpy(values), torch.from_numpy(known.astype(np.float32))

    def _label_index(self, labels: Spans, nodes: Spans) -> Tensor | None:
        if self.label_index is None:
            return None
        pairs = self.label_index[labels.index] + nodes.start_of(labels)[:, None]
        return torch.from_numpy(np.ascontiguousarray(pairs.T))


def _features(rows: Array | None, spans: Spans) -> Tensor | None:
    if rows is None:
        return None
    return _tensor(rows, spans, np.float32 if rows.dtype.kind == "f" else np.int64)


def _tensor(rows: Array, spans: Spans, dtype: type[np.float32] | type[np.int64]) -> Tensor:
    return torch.from_numpy(rows[spans.index].astype(dtype))
