"""What one operation computes, before normalisation."""

from torch import Tensor

from argnp.kernels.topology import Topology
from argnp.ops.aggregators import Aggregator
from argnp.ops.film import Weights, act, film, linear
from argnp.ops.relation_functions import RelationFunction


def node_output(
    aggregate: Aggregator, weights: Weights, V: Tensor, E: Tensor | None, topology: Topology
) -> Tensor:
    """``U = mlp2(act(mlp1(act(V))))``; ``M = gamma(E) U_s + beta(E)``; ``out(aggregate M)``.

    ``V`` (n, d_V), ``E`` (R, d_E) or None where relations are off, and then ``M = U_s``.
    """
    source, target, relation = topology.messages
    U = linear(act(linear(act(V), weights, "mlp1")), weights, "mlp2")
    messages = U.index_select(0, source)
    if E is not None:
        gamma, beta = film(E, weights)
        if topology.undirected:
            gamma, beta = gamma.index_select(0, relation), beta.index_select(0, relation)
        messages = gamma * messages + beta
    degree = topology.degree.to(V.dtype)
    return linear(aggregate(messages, target, topology.num_nodes, degree), weights, "out")


def relation_output(
    function: RelationFunction, weights: Weights, V: Tensor, E: Tensor, topology: Topology
) -> Tensor:
    """``gamma, beta = film(function(V_s, V_t))``; ``out(gamma act(E) + beta)``: (R, d_E)."""
    V_s = V.index_select(0, topology.source)
    V_t = V.index_select(0, topology.target)
    gamma, beta = film(function(V_s, V_t, topology.undirected), weights)
    return linear(gamma * act(E) + beta, weights, "out")
