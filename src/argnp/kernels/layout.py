"""Where each weight of an operation stands in its row of a parameter bank.

All operations of a vertex keep their weights in one matrix, the bank, one row per operation.
A weight of shape (inputs, outputs) is stored row-major and applied as ``x @ weight + bias``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

from torch import Tensor


@dataclass(frozen=True)
class Layout:
    """Names and shapes of the weights in a bank row, in order of storage."""

    shapes: tuple[tuple[str, tuple[int, ...]], ...]

    @cached_property
    def size(self) -> int:
        """Numbers in a row."""
        return sum(prod(shape) for _, shape in self.shapes)

    def spans(self) -> Iterator[tuple[str, int, tuple[int, ...]]]:
        """(name, offset, shape) of every weight."""
        offset = 0
        for name, shape in self.shapes:
            yield name, offset, shape
            offset += prod(shape)

    def views(self, rows: Tensor) -> dict[str, Tensor]:
        """Weights by name: views of ``rows`` (..., size), each (..., *shape)."""
        lead = rows.shape[:-1]
        return {
            name: rows.narrow(-1, offset, prod(shape)).view(*lead, *shape)
            for name, offset, shape in self.spans()
        }


def _linear(name: str, inputs: int, outputs: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return (f"{name}.weight", (inputs, outputs)), (f"{name}.bias", (outputs,))


@lru_cache(maxsize=64)
def node_layout(node_dim: int, edge_dim: int, *, relations: bool = True) -> Layout:
    """Weights of a node operation.

    ``h = act(V) mlp1; U = act(h) mlp2; z = act(act(E film1) film2); gamma = sigmoid(z gamma);
    beta = z beta; M = gamma * U_s + beta; y = aggregate(M) out``; without relations ``M = U_s``.
    """
    mlp = _linear("mlp1", node_dim, node_dim) + _linear("mlp2", node_dim, node_dim)
    film = (
        _linear("film1", edge_dim, edge_dim)
        + _linear("film2", edge_dim, edge_dim)
        + _linear("gamma", edge_dim, node_dim)
        + _linear("beta", edge_dim, node_dim)
    )
    return Layout(mlp + (film if relations else ()) + _linear("out", node_dim, node_dim))


@lru_cache(maxsize=64)
def relation_layout(node_dim: int, edge_dim: int) -> Layout:
    """Weights of a relation operation.

    ``z = act(act(h(V_s, V_t) film1) film2); y = (sigmoid(z gamma) * act(E) + z beta) out``.
    """
    return Layout(
        _linear("film1", node_dim, edge_dim)
        + _linear("film2", edge_dim, edge_dim)
        + _linear("gamma", edge_dim, edge_dim)
        + _linear("beta", edge_dim, edge_dim)
        + _linear("out", edge_dim, edge_dim)
    )
