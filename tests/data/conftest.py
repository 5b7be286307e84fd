"""Random raw graphs for tests, and the slow way to read a graph out of a batch."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from argnp.data.batch import GraphBatch
from argnp.data.raw import RawGraphs


def _ptr(counts: Any) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _random_raw(
    rng: np.random.Generator,
    graphs: int = 12,
    *,
    symmetric: bool = False,
    level: str = "graph",
    floats: bool = False,
    most_nodes: int = 8,
) -> RawGraphs:
    """Graphs with self-loops, parallel edges and edgeless ones among them."""
    nodes = rng.integers(1, most_nodes + 1, graphs)
    ends, attrs, counts = [], [], []
    for n in nodes:
        m = int(rng.integers(0, 2 * n + 1))
        e, a = rng.integers(0, n, (2, m)), rng.integers(0, 3, (m, 2))
        if symmetric:
            other = e[0] != e[1]
            e, a = np.concatenate([e, e[::-1, other]], 1), np.concatenate([a, a[other]])
            shuffle = rng.permutation(e.shape[1])
            e, a = e[:, shuffle], a[shuffle]
        ends.append(e)
        attrs.append(a)
        counts.append(e.shape[1])
    edge_index = np.concatenate(ends, axis=1).astype(np.int32)
    edge_attr = np.concatenate(attrs)
    total, edges = int(nodes.sum()), edge_index.shape[1]
    x = rng.normal(size=(total, 3)) if floats else rng.integers(0, 4, (total, 2))
    rows = {"graph": graphs, "node": total, "edge": edges}[level]
    y = rng.normal(size=rows)
    if level == "edge" and symmetric:
        y = edge_attr[:, 0] * 1.5
    return RawGraphs(
        _ptr(nodes),
        _ptr(counts),
        edge_index,
        x,
        edge_attr,
        y=y,
        level=level,  # type: ignore[arg-type]
    )


def _messages_of(batch: GraphBatch, graph: int) -> list[tuple[int, int, tuple[Any, ...]]]:
    """Directed edges of a graph of a batch, with their features, nodes counted from 0."""
    topology = batch.topology
    begin, end = topology.node_ptr[graph : graph + 2].tolist()
    found = []
    for s, t, r in zip(*(m.tolist() for m in topology.messages), strict=True):
        if begin <= t < end:
            features = () if batch.edge is None else tuple(batch.edge[r].tolist())
            found.append((s - begin, t - begin, features))
    return sorted(found)


def _raw_messages(raw: RawGraphs, graph: int) -> list[tuple[int, int, tuple[Any, ...]]]:
    """The same of the raw graph."""
    edges = range(raw.edge_ptr[graph], raw.edge_ptr[graph + 1])
    return sorted(
        (
            int(raw.edge_index[0, e]),
            int(raw.edge_index[1, e]),
            () if raw.edge_attr is None else tuple(raw.edge_attr[e].tolist()),
        )
        for e in edges
    )


@pytest.fixture(scope="session")
def random_raw() -> Callable[..., RawGraphs]:
    return _random_raw


@pytest.fixture(scope="session")
def messages_of() -> Callable[..., list[Any]]:
    return _messages_of


@pytest.fixture(scope="session")
def raw_messages() -> Callable[..., list[Any]]:
    return _raw_messages
