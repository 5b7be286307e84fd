"""How well anything can tell CLUSTER's communities apart: belief propagation that knows the recipe.

    python benchmarks/cluster_ceiling.py --smallest 5 --largest 14

A network learns the recipe from examples; this is told it: the probability of an edge inside a
community and across, and the label of the one node of each community that carries it. Messages go
between all pairs of nodes, since a missing edge tells something, too. Printed is the class-averaged
accuracy over all nodes of all graphs.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from argnp.data.generators.cluster import ClusterRecipe, cluster
from argnp.heads.class_metrics import balanced_accuracy

Float64 = NDArray[np.float64]
DAMPING = 0.5
CERTAIN = 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--smallest", type=int, default=5)
    parser.add_argument("--largest", type=int, default=34)
    parser.add_argument("--graphs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    recipe = ClusterRecipe(smallest=options.smallest, largest=options.largest)
    raw = cluster(recipe, (options.graphs, 1, 1), 0).graphs
    beliefs = []
    for graph in range(options.graphs):
        nodes = slice(*raw.node_ptr[graph : graph + 2])
        edges = raw.edge_index[:, slice(*raw.edge_ptr[graph : graph + 2])]
        codes = raw.x[nodes, 0]
        linked = np.zeros((len(codes), len(codes)), dtype=bool)
        linked[edges[0], edges[1]] = True
        beliefs.append(propagate(linked, codes, recipe, options.rounds))
    found = np.concatenate(beliefs)
    truth = raw.y[: len(found)]
    reached = balanced_accuracy(found, truth, np.ones(len(found)))
    told = np.count_nonzero(raw.x[: len(found), 0]) / len(found)
    guessed = told + (1 - told) / recipe.communities
    print(f"{options.graphs} graphs, {len(found)} nodes: class-averaged accuracy {reached:.4f}")
    print(f"guessing what is not told: {guessed:.4f}")


def propagate(
    linked: NDArray[np.bool_], codes: NDArray[np.int64], recipe: ClusterRecipe, rounds: int
) -> Float64:
    """(n, communities) log beliefs.

    With m (k to i) the message of k to i, ``P`` and ``Q`` the chances of what is seen between the
    two (an edge, or none) inside a community and across:
    ``h_i = log prior_i + sum_k log(Q + (P - Q) m (k to i))``, and ``m (i to j)`` is the softmax of
    ``h_i`` less the term of j.
    """
    n, communities = len(codes), recipe.communities
    inside = np.where(linked, recipe.p, 1 - recipe.p)[:, :, None]
    across = np.where(linked, recipe.q, 1 - recipe.q)[:, :, None]
    prior = np.zeros((n, communities))
    known = np.flatnonzero(codes)
    prior[known] = -CERTAIN
    prior[known, codes[known] - 1] = 0.0
    messages = np.full((n, n, communities), 1 / communities)
    field = prior
    for _ in range(rounds):
        terms = np.log(across + (inside - across) * messages)
        terms[np.arange(n), np.arange(n)] = 0.0
        field = prior + terms.sum(0)
        cavity = field[:, None] - terms.transpose(1, 0, 2)
        cavity = np.exp(cavity - cavity.max(2, keepdims=True))
        new = cavity / cavity.sum(2, keepdims=True)
        messages = DAMPING * messages + (1 - DAMPING) * new
    return field


if __name__ == "__main__":
    main()
