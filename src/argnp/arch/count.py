"""How many architectures there are, and how many weights one has."""

from math import comb

from argnp.arch.graph import Architecture
from argnp.arch.space import Space, SpaceName
from argnp.arch.vocabulary import SKIP


def local_choices(space: Space, name: SpaceName = "node") -> int:
    """Subnets of one new vertex's local supernet: C(k + 1, k) |O|^k.

    ``zero`` counts, as in the paper; decisions never take it (`reachable_choices`).
    """
    k = space.inputs
    return int(comb(k + 1, k) * len(space.operations(name)) ** k)


def reachable_choices(space: Space, name: SpaceName = "node") -> int:
    """Outcomes of one new vertex that decisions can reach: C(k + 1, k) (|O| without zero)^k."""
    k = space.inputs
    return int(comb(k + 1, k) * len(space.choices(name)) ** k)


def proliferated(size: int, space: Space, name: SpaceName = "node") -> int:
    """Candidates of one space that proliferation to this size explores: choices^N."""
    return int(local_choices(space, name) ** size)


def cell_candidates(vertices: int, space: Space, name: SpaceName = "node") -> int:
    """Subnets of one global supernet (a DARTS cell): the product of C(i + 1, k) |O|^k."""
    k = space.inputs
    total = 1
    for number in range(1, vertices + 1):
        total *= comb(number + 1, k) * len(space.operations(name)) ** k
    return total


def supernet_operations(architecture: Architecture, name: SpaceName = "node") -> int:
    """Operations that one step of the supernet computes in one space: 1 or |O| a link."""
    candidates = len(architecture.space.operations(name))
    return sum(1 if link.decided else candidates for _, link in architecture.places(name))


def node_operation_parameters(node_dim: int, edge_dim: int, *, relations: bool = True) -> int:
    """Weights of a node operation in the final network, with its BatchNorm's affine part."""
    v, e = node_dim, edge_dim
    mlp = 2 * (v * v + v)
    film = 2 * (e * e + e) + 2 * (e * v + v)
    return mlp + (film if relations else 0) + (v * v + v) + 2 * v


def relation_operation_parameters(node_dim: int, edge_dim: int) -> int:
    """Weights of a relation operation in the final network, BatchNorm included."""
    v, e = node_dim, edge_dim
    return (v * e + e) + (e * e + e) + 2 * (e * e + e) + (e * e + e) + 2 * e


def operation_parameters(architecture: Architecture, node_dim: int, edge_dim: int) -> int:
    """Weights of all operations of a decided architecture, all cells."""
    if not architecture.decided:
        raise ValueError("weights are counted for decided architectures")
    each = {
        "node": node_operation_parameters(
            node_dim, edge_dim, relations=architecture.space.relations
        ),
        "relation": relation_operation_parameters(node_dim, edge_dim),
    }
    per_cell = sum(
        each[place.space] for place, link in architecture.places() if link.operation != SKIP
    )
    return architecture.cells * per_cell
