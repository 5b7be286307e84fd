"""The operations that links are made of."""

from collections.abc import Callable

from torch import Tensor, nn

from argnp.model.export.pieces.layers import BatchNorm, Film, act


class NodeOperation(nn.Module):
    """Node features from the neighbours', guided by the relations to them.

    ``U = B act(A act(V))`` is what a node sends and
    ``M_st = gamma(E_st) * U_s + beta(E_st)`` what arrives; the messages to a node are
    aggregated; then Linear and BatchNorm.
    """

    def __init__(
        self,
        aggregate: Callable[[Tensor, Tensor, int], Tensor],
        node_dim: int,
        edge_dim: int,
    ) -> None:
        super().__init__()
        self.aggregate = aggregate
        self.mlp1 = nn.Linear(node_dim, node_dim)
        self.mlp2 = nn.Linear(node_dim, node_dim)
        self.film = Film(edge_dim, edge_dim, node_dim)
        self.out = nn.Linear(node_dim, node_dim)
        self.norm = BatchNorm(node_dim)

    def forward(self, V: Tensor, E: Tensor, edge_index: Tensor) -> Tensor:
        """V (n, node_dim), E (m, edge_dim) to (n, node_dim)."""
        source, target = edge_index[0], edge_index[1]
        U = self.mlp2(act(self.mlp1(act(V))))
        gamma, beta = self.film(E)
        M = gamma * U[source] + beta
        y: Tensor = self.norm(self.out(self.aggregate(M, target, V.shape[0])))
        return y


class UnguidedNodeOperation(nn.Module):
    """Node features from the neighbours'.

    ``M_st = U_s`` with ``U = B act(A act(V))``; the messages to a node are aggregated;
    then Linear and BatchNorm.
    """

    def __init__(
        self,
        aggregate: Callable[[Tensor, Tensor, int], Tensor],
        node_dim: int,
    ) -> None:
        super().__init__()
        self.aggregate = aggregate
        self.mlp1 = nn.Linear(node_dim, node_dim)
        self.mlp2 = nn.Linear(node_dim, node_dim)
        self.out = nn.Linear(node_dim, node_dim)
        self.norm = BatchNorm(node_dim)

    def forward(self, V: Tensor, edge_index: Tensor) -> Tensor:
        """V (n, node_dim) to (n, node_dim)."""
        source, target = edge_index[0], edge_index[1]
        U = self.mlp2(act(self.mlp1(act(V))))
        y: Tensor = self.norm(self.out(self.aggregate(U[source], target, V.shape[0])))
        return y


class RelationOperation(nn.Module):
    """Relation features from themselves and the nodes they join.

    ``gamma(h) * act(E) + beta(h)`` with ``h = compare(V_s, V_t)``; then Linear and
    BatchNorm.
    """

    def __init__(
        self,
        compare: Callable[[Tensor, Tensor], Tensor],
        node_dim: int,
        edge_dim: int,
    ) -> None:
        super().__init__()
        self.compare = compare
        self.film = Film(node_dim, edge_dim, edge_dim)
        self.out = nn.Linear(edge_dim, edge_dim)
        self.norm = BatchNorm(edge_dim)

    def forward(self, V: Tensor, E: Tensor, edge_index: Tensor) -> Tensor:
        """V (n, node_dim), E (m, edge_dim) to (m, edge_dim)."""
        source, target = edge_index[0], edge_index[1]
        gamma, beta = self.film(self.compare(V[source], V[target]))
        y: Tensor = self.norm(self.out(gamma * act(E) + beta))
        return y
