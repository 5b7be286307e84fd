"""Who is related to whom in a batch of graphs laid end to end."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor


class Segments(NamedTuple):
    """Rows of a batch by graph: graph ``g`` owns ``ptr[g]:ptr[g + 1]``."""

    ptr: Tensor  # (G + 1,) int32
    graph: Tensor  # (R,) int32: the graph of each row
    weight: Tensor | None  # (R,) how often a row counts; None: once


@dataclass(frozen=True)
class Topology:
    """Nodes and relations of a batch.

    Graph ``g`` owns the nodes ``node_ptr[g]:node_ptr[g + 1]`` and the relations
    ``relation_ptr[g]:relation_ptr[g + 1]``. Node numbers run through the whole batch.

    A relation is one directed edge ``source -> target``, or, where ``undirected``, the pair of
    the edge and its reverse, held once: its message flows both ways, except on a self-loop,
    which is its own reverse. ``multiplicity`` is the number of directed edges a held relation
    stands for (2, or 1 for a self-loop); it is None where relations are directed.

    Within a graph, relations are sorted by target.
    """

    num_nodes: int
    source: Tensor  # (R,) int32
    target: Tensor  # (R,) int32
    node_ptr: Tensor  # (G + 1,) int32
    relation_ptr: Tensor  # (G + 1,) int32
    degree: Tensor  # (n,) float32: directed edges that end in the node
    undirected: bool = False
    multiplicity: Tensor | None = None  # (R,) float32

    @property
    def num_relations(self) -> int:
        """Relations held: directed edges, or pairs where undirected."""
        return self.source.shape[0]

    @property
    def num_graphs(self) -> int:
        return self.node_ptr.shape[0] - 1

    @cached_property
    def num_edges(self) -> int:
        """Directed edges the relations stand for."""
        if self.multiplicity is None:
            return self.num_relations
        return int(self.multiplicity.sum())

    @cached_property
    def node_graph(self) -> Tensor:
        """(n,) the graph of each node."""
        return _owner(self.node_ptr, self.num_nodes)

    @cached_property
    def relation_graph(self) -> Tensor:
        """(R,) the graph of each relation."""
        return _owner(self.relation_ptr, self.num_relations)

    @property
    def node_segments(self) -> Segments:
        """The nodes of each graph."""
        return Segments(self.node_ptr, self.node_graph, None)

    @property
    def relation_segments(self) -> Segments:
        """The relations of each graph."""
        return Segments(self.relation_ptr, self.relation_graph, self.multiplicity)

    @cached_property
    def flaw(self) -> str | None:
        """What is wrong with it: numbers that would lead out of a graph's own rows."""
        parts = (self.node_ptr, self.relation_ptr, self.source, self.target)
        # numpy, once per batch: torch would wake its threads for each comparison
        node_ptr, relation_ptr, source, target = (part.numpy(force=True) for part in parts)
        for name, ptr, count in (
            ("node_ptr", node_ptr, self.num_nodes),
            ("relation_ptr", relation_ptr, self.num_relations),
        ):
            if ptr[0] != 0 or ptr[-1] != count or (ptr[1:] < ptr[:-1]).any():
                return f"{name} does not divide {count} rows"
        if self.degree.shape != (self.num_nodes,):
            return f"{tuple(self.degree.shape)} degrees of {self.num_nodes} nodes"
        if self.multiplicity is not None and self.multiplicity.shape != (self.num_relations,):
            return f"{tuple(self.multiplicity.shape)} multiplicities of {self.num_relations} pairs"
        held = np.diff(relation_ptr)
        first, end = node_ptr[:-1].repeat(held), node_ptr[1:].repeat(held)
        low, high = np.minimum(source, target), np.maximum(source, target)
        outside = (low < first) | (high >= end)
        if not outside.any():
            return None
        r = int(outside.argmax())
        return (
            f"relation {r} joins nodes {source[r]} and {target[r]}; its graph has nodes "
            f"{first[r]} to {end[r] - 1}"
        )

    @cached_property
    def messages(self) -> tuple[Tensor, Tensor, Tensor]:
        """(source, target, relation) of every directed message, each (M,) int32.

        Directed: the relations themselves. Undirected: each pair once in either direction, and
        each self-loop once.
        """
        relation = torch.arange(self.num_relations, dtype=torch.int32, device=self.source.device)
        if not self.undirected:
            return self.source, self.target, relation
        back = self.source != self.target
        return (
            torch.cat([self.source, self.target[back]]),
            torch.cat([self.target, self.source[back]]),
            torch.cat([relation, relation[back]]),
        )

    def to(self, device: torch.device | str) -> "Topology":
        """The same topology on another device."""
        return replace(
            self,
            source=self.source.to(device),
            target=self.target.to(device),
            node_ptr=self.node_ptr.to(device),
            relation_ptr=self.relation_ptr.to(device),
            degree=self.degree.to(device),
            multiplicity=None if self.multiplicity is None else self.multiplicity.to(device),
        )


def _owner(ptr: Tensor, total: int) -> Tensor:
    graphs = torch.arange(ptr.shape[0] - 1, dtype=torch.int32, device=ptr.device)
    return torch.repeat_interleave(graphs, ptr[1:] - ptr[:-1], output_size=total)
