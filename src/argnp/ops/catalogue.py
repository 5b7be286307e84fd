"""The operations with weights, by name, and the door for a user's own."""

from collections.abc import Callable
from typing import TypeVar

from argnp.arch.vocabulary import PARAMETER_FREE
from argnp.errors import UserError
from argnp.ops import aggregators, relation_functions
from argnp.ops.aggregators import Aggregator
from argnp.ops.relation_functions import RelationFunction

_Function = TypeVar("_Function", bound=Callable[..., object])

_NODE: dict[str, Aggregator] = {
    "V_MEAN": aggregators.aggregate_mean,
    "V_SUM": aggregators.aggregate_sum,
    "V_MAX": aggregators.aggregate_max,
    "V_STD": aggregators.aggregate_std,
    "V_GEM2": aggregators.aggregate_gem2,
    "V_GEM3": aggregators.aggregate_gem3,
}
_RELATION: dict[str, RelationFunction] = {
    "E_SUB": relation_functions.subtract,
    "E_GAUSS": relation_functions.gauss,
    "E_HAD": relation_functions.hadamard,
    "E_MAX": relation_functions.maximum,
    "E_SUM": relation_functions.add,
    "E_MEAN": relation_functions.average,
}


def node_operations() -> tuple[str, ...]:
    """Names of all node operations with weights."""
    return tuple(_NODE)


def relation_operations() -> tuple[str, ...]:
    """Names of all relation operations with weights."""
    return tuple(_RELATION)


def node_operation(name: str) -> Aggregator:
    """The aggregator that makes the node operation ``name``."""
    return _lookup(_NODE, name, "node")


def relation_operation(name: str) -> RelationFunction:
    """The function of both ends that makes the relation operation ``name``."""
    return _lookup(_RELATION, name, "relation")


def register_node_operation(name: str, aggregate: Aggregator) -> None:
    """Add a node operation: ``aggregate(messages, target, num_nodes, degree) -> (n, d)``.

    It gets the FiLM messages, the output layer and the normalisation that all node operations
    have. A node without messages should get 0. Made of differentiable torch operations it needs
    no more; it runs on the reference path, beside whatever computes the others.
    """
    _register(_NODE, name, aggregate, "node")


def register_relation_operation(name: str, function: RelationFunction) -> None:
    """Add a relation operation: ``function(V_s, V_t, undirected) -> (R, d)``.

    It should be symmetric in its ends where ``undirected``.
    """
    _register(_RELATION, name, function, "relation")


def _lookup(operations: dict[str, _Function], name: str, space: str) -> _Function:
    if name not in operations:
        raise UserError(
            f"{space} operation '{name}' is unknown; there are {', '.join(operations)} "
            f"(register_{space}_operation adds one of your own)"
        )
    return operations[name]


def _register(operations: dict[str, _Function], name: str, function: _Function, space: str) -> None:
    place = f"register_{space}_operation"
    if not name.isidentifier():
        raise UserError(f"{place}: '{name}' is no name; use letters, digits and underscores")
    if name in _NODE or name in _RELATION or name in PARAMETER_FREE:
        raise UserError(f"{place}: '{name}' is taken; choose another name")
    if not callable(function):
        raise UserError(f"{place}: '{name}' needs a function, not {type(function).__name__}")
    operations[name] = function
