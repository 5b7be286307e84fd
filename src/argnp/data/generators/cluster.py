"""CLUSTER: tell the communities apart, one node of each being given."""

from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from argnp.data.generators.blocks import Block, lay_out, link, shuffled
from argnp.data.generators.generated import Counts, Generated, graph_rngs, in_order
from argnp.errors import UserError

Probability = Annotated[float, Meta(ge=0, le=1)]


class ClusterRecipe(msgspec.Struct, frozen=True):
    """Communities of ``smallest`` to ``largest`` nodes; edges with p inside, q across."""

    communities: Annotated[int, Meta(ge=2, le=100)] = 6
    smallest: Annotated[int, Meta(ge=1)] = 5
    largest: Annotated[int, Meta(ge=1, le=5000)] = 34
    p: Probability = 0.55
    q: Probability = 0.25


def cluster(recipe: ClusterRecipe, counts: Counts, seed: int) -> Generated:
    """Node feature: 0, but label + 1 on one random node per community. Target: community."""
    if recipe.smallest > recipe.largest:
        raise UserError(
            f"cluster: smallest={recipe.smallest} exceeds largest={recipe.largest}; "
            "communities have smallest to largest nodes"
        )
    blocks = [_graph(recipe, rng) for rng in graph_rngs(counts, seed, recipe=1)]
    labels = tuple(f"community {c}" for c in range(recipe.communities))
    return Generated(lay_out(blocks, recipe.communities + 1, labels), in_order(counts))


def _graph(recipe: ClusterRecipe, rng: np.random.Generator) -> Block:
    sizes = rng.integers(recipe.smallest, recipe.largest, recipe.communities, endpoint=True)
    community = np.repeat(np.arange(recipe.communities), sizes)
    chance = np.where(community[:, None] == community, recipe.p, recipe.q).astype(np.float32)
    adjacency = link(chance, rng)
    known = np.cumsum(sizes) - sizes + rng.integers(0, sizes)
    x = np.zeros(len(community), dtype=np.int8)
    x[known] = np.arange(recipe.communities) + 1
    return shuffled(adjacency, x, community, rng)
