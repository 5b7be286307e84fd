"""How features travel along the relations of some graphs: worked out once per topology."""

from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from argnp.kernels.topology import Topology


class Bags(NamedTuple):
    """Rows grouped by the node they belong to: node i owns ``order[ptr[i]:ptr[i + 1]]``."""

    order: Tensor  # int32
    ptr: Tensor  # (n + 1,) int32

    def sum(self, rows: Tensor) -> Tensor:
        """(rows, ...) -> (n, ...), the sum of each node's rows, always in the same order.

        An embedding bag is a gather and a sum in one: several times faster than ``index_add``.
        """
        nodes, tail = self.ptr.shape[0] - 1, rows.shape[1:]
        if self.order.shape[0] == 0:
            return rows.new_zeros(nodes, *tail)
        summed = torch.nn.functional.embedding_bag(
            self.order, rows.flatten(1), self.ptr, mode="sum", include_last_offset=True
        )
        return summed.view(nodes, *tail)


class Routes:
    """Messages of some graphs of a topology, in halves of one message per relation held.

    Directed relations have one half. Undirected ones have two, there and back, so that what
    belongs to the relation is broadcast instead of gathered. The way back of a self-loop is
    no message: no bag has it, and ``silence_`` clears its gradient.
    """

    def __init__(self, topology: Topology, nodes: slice, relations: slice) -> None:
        """Of the graphs that own these nodes and relations."""
        self.nodes, self.relations = nodes, relations
        self.undirected = topology.undirected
        self.degree = topology.degree[nodes]
        self.relation_source = topology.source[relations] - nodes.start
        self.relation_target = topology.target[relations] - nodes.start
        self._ends = torch.cat([self.relation_source, self.relation_target])
        self.halves = 2 if topology.undirected else 1
        self.source, self.target = self.relation_source, self.relation_target
        self._echo: Tensor | None = None
        if topology.undirected:
            self.source = self._ends
            self.target = torch.cat([self.relation_target, self.relation_source])
            echo = torch.nonzero(self.relation_source == self.relation_target).flatten()
            if echo.shape[0]:
                self._echo = echo + self.relation_source.shape[0]

    @cached_property
    def isolated(self) -> Tensor | None:
        """Nodes in which no message ends; None where there are none."""
        nodes = torch.nonzero(self.degree == 0).flatten()
        return nodes if nodes.shape[0] else None

    @cached_property
    def into(self) -> Bags:
        """Messages by the node they end in."""
        return self._bags(self.target, self._echo)

    @cached_property
    def out_of(self) -> Bags:
        """Messages by the node they come from."""
        return self._bags(self.source, self._echo)

    @cached_property
    def ends(self) -> Bags:
        """Both ends of each relation, sources and then targets, by node."""
        return self._bags(self._ends, None)

    def silence_(self, messages: Tensor) -> Tensor:
        """Clear, in place, the rows that are no messages."""
        return messages if self._echo is None else messages.index_fill_(0, self._echo, 0.0)

    def _bags(self, owner: Tensor, without: Tensor | None) -> Bags:
        nodes = self.degree.shape[0]
        if without is not None:
            owner = owner.index_fill(0, without, nodes)
        order = torch.argsort(owner, stable=True).to(torch.int32)
        ptr = torch.zeros(nodes + 2, dtype=torch.int32, device=owner.device)
        torch.cumsum(torch.bincount(owner, minlength=nodes + 1), 0, out=ptr[1:])
        kept = owner.shape[0] - (0 if without is None else without.shape[0])
        return Bags(order[:kept], ptr[:-1])


@lru_cache(maxsize=16)
def routes_of(topology: Topology, parts: int) -> list[Routes]:
    """Routes of a batch cut between its graphs into at most ``parts`` of about equal weight.

    Vertices share them, and so do forward and backward.
    """
    node_ptr, relation_ptr = topology.node_ptr.tolist(), topology.relation_ptr.tolist()
    total = node_ptr[-1] + relation_ptr[-1]
    cuts = [0]
    for graph in range(1, topology.num_graphs):
        if (node_ptr[graph] + relation_ptr[graph]) * parts >= total * len(cuts):
            cuts.append(graph)
    cuts.append(topology.num_graphs)
    return [
        Routes(
            topology,
            slice(node_ptr[first], node_ptr[last]),
            slice(relation_ptr[first], relation_ptr[last]),
        )
        for first, last in pairwise(cuts)
    ]
