"""Which piece stands for which operation of the search space."""

from typing import Final

from argnp.arch import SKIP, Architecture
from argnp.arch.space import SpaceName
from argnp.errors import UserError

_AGGREGATES: Final = {
    "V_MEAN": "scatter_mean",
    "V_SUM": "scatter_sum",
    "V_MAX": "scatter_max",
    "V_STD": "scatter_std",
    "V_GEM2": "scatter_gem2",
    "V_GEM3": "scatter_gem3",
}
_COMPARISONS: Final = {
    "E_SUB": "difference",
    "E_GAUSS": "gauss",
    "E_HAD": "product",
    "E_MAX": "maximum",
    "E_SUM": "both",
    "E_MEAN": "average",
}


def piece_of(operation: str, *, undirected: bool) -> str:
    """Name of the function that makes the operation; undirected relations have no sign."""
    if operation == "E_SUB" and undirected:
        return "distance"
    return (_AGGREGATES | _COMPARISONS)[operation]


def short(operation: str) -> str:
    """``gem2`` for ``V_GEM2``."""
    return operation.removeprefix("V_").removeprefix("E_").lower()


def check(architecture: Architecture) -> None:
    """Refuse what cannot be written out: mixtures, and operations of the user's own."""
    if not architecture.decided:
        raise UserError("export: the architecture still has mixture links; search it to the end")
    known: dict[SpaceName, set[str]] = {
        "node": {SKIP, *_AGGREGATES},
        "relation": {SKIP, *_COMPARISONS},
    }
    foreign = {
        str(link.operation)
        for place, link in architecture.places()
        if link.operation not in known[place.space]
    }
    if foreign:
        raise UserError(
            f"export: {', '.join(sorted(foreign))}: an operation of your own has no written-out "
            "form; search without it, or use the model from Python (argnp.load)"
        )
