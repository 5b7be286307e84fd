"""PATTERN: find the planted pattern in a graph of communities."""

from dataclasses import dataclass
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from argnp.data.generators.blocks import Block, lay_out, link, shuffled
from argnp.data.generators.cluster import Probability
from argnp.data.generators.generated import Counts, Generated, graph_rngs, in_order
from argnp.errors import UserError

_LABELS = ("background", "pattern")


class PatternRecipe(msgspec.Struct, frozen=True):
    """The background's communities, and the patterns: graph g holds pattern g mod ``patterns``.

    ``pattern_p`` links within a pattern, ``pattern_q`` a pattern's node with any other node.
    """

    communities: Annotated[int, Meta(ge=1, le=100)] = 5
    smallest: Annotated[int, Meta(ge=1)] = 5
    largest: Annotated[int, Meta(ge=1, le=5000)] = 34
    p: Probability = 0.5
    q: Probability = 0.35
    patterns: Annotated[int, Meta(ge=1)] = 100
    pattern_size: Annotated[int, Meta(ge=1, le=5000)] = 20
    pattern_p: Probability = 0.5
    pattern_q: Probability = 0.5
    values: Annotated[int, Meta(ge=1, le=100)] = 3


@dataclass(frozen=True)
class _Pattern:
    adjacency: NDArray[np.bool_]
    x: NDArray[np.int64]


def pattern(recipe: PatternRecipe, counts: Counts, seed: int) -> Generated:
    """Node feature: uniform in 0 .. values - 1. Target: in the pattern or not."""
    if recipe.smallest > recipe.largest:
        raise UserError(
            f"pattern: smallest={recipe.smallest} exceeds largest={recipe.largest}; "
            "communities have smallest to largest nodes"
        )
    patterns = [
        _pattern(recipe, np.random.default_rng([seed, 2, number]))
        for number in range(recipe.patterns)
    ]
    place = np.concatenate([np.arange(count) for count in counts]) % recipe.patterns
    rngs = graph_rngs(counts, seed, recipe=3)
    blocks = [_graph(recipe, patterns[i], rng) for i, rng in zip(place, rngs, strict=True)]
    return Generated(lay_out(blocks, recipe.values, _LABELS), in_order(counts))


def _pattern(recipe: PatternRecipe, rng: np.random.Generator) -> _Pattern:
    size = recipe.pattern_size
    chance = np.full((size, size), recipe.pattern_p, dtype=np.float32)
    return _Pattern(link(chance, rng), rng.integers(0, recipe.values, size))


def _graph(recipe: PatternRecipe, planted: _Pattern, rng: np.random.Generator) -> Block:
    sizes = rng.integers(recipe.smallest, recipe.largest, recipe.communities, endpoint=True)
    community = np.repeat(np.arange(recipe.communities), sizes)
    n = len(community)
    chance = np.full((n + recipe.pattern_size,) * 2, recipe.pattern_q, dtype=np.float32)
    chance[:n, :n] = np.where(community[:, None] == community, recipe.p, recipe.q)
    adjacency = link(chance, rng)
    adjacency[n:, n:] = planted.adjacency
    x = np.concatenate([rng.integers(0, recipe.values, n), planted.x])
    return shuffled(adjacency, x, np.arange(len(x)) >= n, rng)
