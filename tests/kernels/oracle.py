"""A vertex written down slowly: plain torch in float64, node by node, derivatives by autograd."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from argnp.kernels.core import Norm, Term
from argnp.kernels.layout import node_layout, relation_layout
from argnp.kernels.topology import Topology

EPS = 1e-5


@dataclass
class OracleCore:
    """Implements ``argnp.kernels.core.Core`` for tests.

    ``rounding`` is what happens to the values before BatchNorm, which enlarges it where they
    hardly differ.
    """

    name: str = "oracle"
    rounding: Callable[[Tensor], Tensor] = torch.clone

    def nodes(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor] | None,
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        layout = node_layout(
            V[0].shape[1], 0 if E is None else E[0].shape[1], relations=E is not None
        )
        total = torch.zeros_like(V[0])
        for term, c in zip(terms, coef, strict=True):
            if term.operation == "skip":
                total = total + c * V[term.source]
                continue
            w = layout.views(bank[term.row])
            relation = None if E is None else E[term.source]
            y = node_operation(term.operation, w, V[term.source], relation, topology)
            y = self.rounding(y)
            total = total + c * batch_norm(y, torch.ones(len(y), dtype=y.dtype), norm, term.row)
        return total

    def relations(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor],
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        layout = relation_layout(V[0].shape[1], E[0].shape[1])
        weight = topology.multiplicity
        if weight is None:
            weight = torch.ones(topology.num_relations)
        total = torch.zeros_like(E[0])
        for term, c in zip(terms, coef, strict=True):
            if term.operation == "skip":
                total = total + c * E[term.source]
                continue
            w = layout.views(bank[term.row])
            y = relation_operation(term.operation, w, V[term.source], E[term.source], topology)
            y = self.rounding(y)
            total = total + c * batch_norm(y, weight.to(y.dtype), norm, term.row)
        return total


def act(x: Tensor) -> Tensor:
    return leaky_relu(x, 0.2)


def linear(x: Tensor, w: dict[str, Tensor], name: str) -> Tensor:
    return x @ w[f"{name}.weight"] + w[f"{name}.bias"]


def film(x: Tensor, w: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    z = act(linear(act(linear(x, w, "film1")), w, "film2"))
    return torch.sigmoid(linear(z, w, "gamma")), linear(z, w, "beta")


def node_operation(
    name: str, w: dict[str, Tensor], V: Tensor, E: Tensor | None, topology: Topology
) -> Tensor:
    U = linear(act(linear(act(V), w, "mlp1")), w, "mlp2")
    source, target, relation = (part.long() for part in topology.messages)
    M = U[source]
    if E is not None:
        gamma, beta = film(E, w)
        M = gamma[relation] * M + beta[relation]
    rows = [aggregate(name, M[target == i]) for i in range(len(V))]
    return linear(torch.stack(rows), w, "out") if rows else V


def aggregate(name: str, M: Tensor) -> Tensor:
    if not len(M):
        return M.sum(0)
    if name == "V_SUM":
        return M.sum(0)
    if name == "V_MEAN":
        return M.mean(0)
    if name == "V_MAX":
        return M.amax(0)
    if name == "V_STD":
        variance = ((M - M.mean(0)) ** 2).mean(0)
        return torch.sqrt(torch.relu(variance) + EPS)
    power = {"V_GEM2": 2, "V_GEM3": 3}[name]
    return (torch.relu((M**power).mean(0)) + EPS) ** (1 / power)


def relation_operation(
    name: str, w: dict[str, Tensor], V: Tensor, E: Tensor, topology: Topology
) -> Tensor:
    a, b = V[topology.source.long()], V[topology.target.long()]
    x = {
        "E_SUB": lambda: (a - b).abs() if topology.undirected else a - b,
        "E_GAUSS": lambda: torch.exp(-((a - b) ** 2) / 2),
        "E_HAD": lambda: a * b,
        "E_MAX": lambda: torch.maximum(a, b),
        "E_SUM": lambda: a + b,
        "E_MEAN": lambda: (a + b) / 2,
    }[name]()
    gamma, beta = film(x, w)
    return linear(gamma * act(E) + beta, w, "out")


def batch_norm(y: Tensor, weight: Tensor, norm: Norm, row: int) -> Tensor:
    count = float(weight.sum())
    if not norm.training or count < 2:
        return (y - norm.mean[row]) / torch.sqrt(norm.var[row] + EPS)
    weight = weight[:, None]
    mean = (weight * y).sum(0) / count
    squares = (weight * (y - mean) ** 2).sum(0)
    with torch.no_grad():
        norm.mean[row] += 0.1 * (mean - norm.mean[row])
        norm.var[row] += 0.1 * (squares / (count - 1) - norm.var[row])
    return (y - mean) / torch.sqrt(squares / count + EPS)
