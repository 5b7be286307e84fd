"""The strategies: a table of combinations, and the place to add one's own."""

import difflib
from dataclasses import dataclass

from argnp.differentiate.decide import Criterion, criterion_1, criterion_2
from argnp.differentiate.update import Update, first_order, mixed_level, second_order
from argnp.differentiate.weighting import Weighting, softmax
from argnp.errors import UserError


@dataclass(frozen=True)
class Strategy:
    """Three choices: how candidates are weighted, how alphas are stepped, how links are decided.

    ``update`` None: nothing is trained, links are decided at random. ``criterion`` None: they
    are decided at the end, by the strongest operation; otherwise greedily on the way.
    """

    weighting: Weighting = softmax
    update: Update | None = None
    criterion: Criterion | None = None


STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(),
    "darts": Strategy(update=first_order),
    "darts2": Strategy(update=second_order),
    "milenas": Strategy(update=mixed_level),
    "sgas": Strategy(update=first_order, criterion=criterion_1),
    "sgas2": Strategy(update=first_order, criterion=criterion_2),
}


def register_strategy(name: str, strategy: Strategy) -> None:
    """Make a strategy of one's own available by name."""
    if name in STRATEGIES:
        raise ValueError(f"strategy {name!r} is there already")
    STRATEGIES[name] = strategy


def strategy(name: str) -> Strategy:
    """The strategy of this name."""
    if name not in STRATEGIES:
        near = difflib.get_close_matches(name, STRATEGIES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UserError(f"strategy {name!r}: {hint}There are {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
