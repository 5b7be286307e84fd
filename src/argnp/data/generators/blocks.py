"""Stochastic block models: communities of nodes, linked with given probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.data.generators.generated import pointers
from argnp.data.raw import RawGraphs


@dataclass(frozen=True)
class Block:
    """One undirected graph of n nodes: both directions of every edge, a code and a class each."""

    edge_index: NDArray[np.int32]  # (2, m)
    x: NDArray[np.int8]  # (n,)
    y: NDArray[np.int8]  # (n,)


def link(chance: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.bool_]:
    """(n, n) symmetric adjacency without self-loops; pair {i, j} with probability chance_ij."""
    n = len(chance)
    upper = np.triu(rng.random((n, n), dtype=np.float32) < chance, k=1)
    linked: NDArray[np.bool_] = upper | upper.T
    return linked


def shuffled(
    adjacency: NDArray[np.bool_], x: NDArray[Any], y: NDArray[Any], rng: np.random.Generator
) -> Block:
    """The graph under a random numbering, which then says nothing about communities."""
    order = rng.permutation(len(x))
    source, target = np.nonzero(adjacency[order][:, order])
    edge_index = np.stack([target, source]).astype(np.int32)
    return Block(edge_index, x[order].astype(np.int8), y[order].astype(np.int8))


def lay_out(blocks: Sequence[Block], codes: int, labels: tuple[str, ...]) -> RawGraphs:
    """Graphs end to end, for node classification, with one feature of ``codes`` values."""
    return RawGraphs(
        node_ptr=pointers([len(block.x) for block in blocks]),
        edge_ptr=pointers([block.edge_index.shape[1] for block in blocks]),
        edge_index=np.concatenate([block.edge_index for block in blocks], axis=1),
        x=np.concatenate([block.x for block in blocks])[:, None].astype(np.int64),
        y=np.concatenate([block.y for block in blocks]).astype(np.int64),
        level="node",
        labels=labels,
        node_sizes=(codes,),
    )
