"""Random architectures."""

import random

from argnp.arch.graph import Architecture, Link, undecided
from argnp.arch.space import Space


def sample(size: int, rng: random.Random, space: Space | None = None) -> Architecture:
    """A random architecture of this many vertices.

    Uniform, vertex by vertex and space by space, over sets of distinct sources and over the
    operations that are not ``zero``.
    """
    return complete(undecided(size, space), rng)


def complete(architecture: Architecture, rng: random.Random) -> Architecture:
    """Decide every mixture link at random; what is decided stays."""
    space = architecture.space
    for number in range(1, len(architecture) + 1):
        for name in space.names:
            links = architecture.vertex(number).links(name)
            decided = [i for i, link in enumerate(links) if link.decided]
            if len(decided) == len(links):
                continue
            open_links = [i for i, link in enumerate(links) if not link.decided]
            chosen = decided + rng.sample(open_links, space.inputs - len(decided))
            architecture = architecture.with_links(
                name,
                number,
                tuple(
                    links[i]
                    if links[i].decided
                    else Link(links[i].source, rng.choice(space.choices(name)))
                    for i in sorted(chosen)
                ),
            )
    return architecture
