"""Which rounds lead to the wanted size, and how long each of them lasts."""

from dataclasses import dataclass

from argnp.arch import Architecture, Space, sample, undecided
from argnp.arch.divide import divide, growth
from argnp.differentiate.settings import SearchSettings, round_epochs
from argnp.differentiate.strategies import strategy
from argnp.errors import UserError
from argnp.train.seeds import python_random


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round: vertices of a cell when it ends, its epochs, and the strategy that decides.

    A strategy that trains nothing takes 0 epochs, and so does a round that was over before.
    """

    vertices: int
    epochs: int
    strategy: str


def plan_rounds(
    size: int, space: Space, settings: SearchSettings, *, proliferate: bool
) -> list[RoundPlan]:
    """Rounds with the paper's epochs, or with ``settings.epochs`` in the last of them.

    Strategies may differ from round to round, as ``random,sgas``; the last one holds for all
    rounds that follow.
    """
    if size % space.cells:
        raise UserError(
            f"--size {size} --cells {space.cells}: the vertices do not divide evenly into cells; "
            f"take a size of {size - size % space.cells or space.cells}"
        )
    vertices = size // space.cells
    sizes = growth(vertices, space.start_size) if proliferate else [vertices]
    strategies = [name.strip() for name in settings.strategy.split(",")]
    for name in strategies:
        strategy(name)
    full = [round_epochs(some_supernet(sizes, i, space), settings) for i in range(len(sizes))]
    scale = 1.0 if settings.epochs is None else settings.epochs / full[-1]
    names = [strategies[min(i, len(strategies) - 1)] for i in range(len(sizes))]
    return [
        RoundPlan(n, max(1, round(scale * epochs)) if strategy(name).update else 0, name)
        for n, epochs, name in zip(sizes, full, names, strict=True)
    ]


def next_supernet(previous: Architecture | None, vertices: int, space: Space) -> Architecture:
    """What the round that ends with so many vertices starts from."""
    if previous is None:
        return undecided(vertices, space)
    return divide(previous, vertices - len(previous))


def some_supernet(sizes: list[int], index: int, space: Space) -> Architecture:
    """Any supernet of this round: how many decisions it needs does not depend on which."""
    previous = sample(sizes[index - 1], python_random(0), space) if index else None
    return next_supernet(previous, sizes[index], space)
