"""The architecture as a value: no torch in here, nothing that can change under your feet."""

from argnp.arch.canonical import canonical
from argnp.arch.divide import divide
from argnp.arch.graph import IN0, IN1, Architecture, Link, Vertex, undecided
from argnp.arch.sample import sample
from argnp.arch.space import Space
from argnp.arch.vocabulary import NODE_OPERATIONS, RELATION_OPERATIONS, SKIP, ZERO

__all__ = [
    "IN0",
    "IN1",
    "NODE_OPERATIONS",
    "RELATION_OPERATIONS",
    "SKIP",
    "ZERO",
    "Architecture",
    "Link",
    "Space",
    "Vertex",
    "canonical",
    "divide",
    "sample",
    "undecided",
]
