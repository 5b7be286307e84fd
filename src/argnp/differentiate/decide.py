"""How mixture links become operations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from argnp.arch import ZERO, Architecture, Link
from argnp.arch.graph import Place
from argnp.arch.space import Space, SpaceName

# Probabilities of the candidates, by place of the undecided link.
Table = Mapping[Place, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Decision:
    """A link takes an operation; ``score`` is what put it before the others."""

    place: Place
    source: int
    operation: str
    score: float | None


class Criterion(Protocol):
    """Scores undecided links of one space, given their distributions of the last epochs."""

    def __call__(
        self, tables: Sequence[Table], places: list[Place], space: Space
    ) -> NDArray[np.float64]:
        """(links,); ``tables[-1]`` is the current one."""
        ...


def greedy(
    architecture: Architecture, name: SpaceName, tables: Sequence[Table], criterion: Criterion
) -> tuple[Architecture, Decision] | None:
    """SGAS: the best undecided link takes its best operation that is not ``zero``.

    A vertex that then has all its links loses the rest of them. Ties go to the lowest place.
    """
    places = architecture.mixtures(name)
    if not places:
        return None
    scores = criterion(tables, places, architecture.space)
    best = int(np.argmax(scores))
    place = places[best]
    operation, _ = strongest(tables[-1][place], architecture.space, name)
    links = architecture.vertex(place.vertex).links(name)
    source = links[place.link].source
    decision = Decision(place, source, operation, float(scores[best]))
    return decide(architecture, place, operation), decision


def decide(architecture: Architecture, place: Place, operation: str) -> Architecture:
    """The architecture with this link decided, and what that makes superfluous pruned."""
    links = list(architecture.vertex(place.vertex).links(place.space))
    links[place.link] = Link(links[place.link].source, operation)
    if sum(link.decided for link in links) == architecture.space.inputs:
        links = [link for link in links if link.decided]
    return architecture.with_links(place.space, place.vertex, tuple(links))


def argmax(
    architecture: Architecture, name: SpaceName, table: Table
) -> tuple[Architecture, list[Decision]]:
    """DARTS: every vertex keeps the links whose strongest operation is the strongest."""
    decisions: list[Decision] = []
    for number, vertex in enumerate(architecture.vertices, start=1):
        links = vertex.links(name)
        wanted = architecture.space.inputs - sum(link.decided for link in links)
        if wanted == 0:
            continue
        ranked = sorted(
            (
                (*strongest(table[place], architecture.space, name), place)
                for place in architecture.mixtures(name)
                if place.vertex == number
            ),
            key=lambda found: (-found[1], found[2].link),
        )
        # From the last link to the first: a decision that completes the vertex prunes links.
        for operation, strength, place in sorted(ranked[:wanted], key=lambda found: -found[2].link):
            source = links[place.link].source
            decisions.append(Decision(place, source, operation, strength))
            architecture = decide(architecture, place, operation)
    return architecture, decisions


def strongest(
    probabilities: NDArray[np.float64], space: Space, name: SpaceName
) -> tuple[str, float]:
    """The likeliest operation that is not ``zero``, and its probability."""
    operations = space.operations(name)
    legal = [index for index, operation in enumerate(operations) if operation != ZERO]
    best = max(legal, key=lambda index: (probabilities[index], -index))
    return operations[best], float(probabilities[best])


def criterion_1(tables: Sequence[Table], places: list[Place], space: Space) -> NDArray[np.float64]:
    """``minmax(importance) * minmax(certainty)``.

    importance = 1 - p(zero); certainty = 1 - entropy of the other candidates, renormalised,
    over its largest value.
    """
    rows = np.stack([tables[-1][place] for place in places])
    return _minmax(_importance(rows, places, space)) * _minmax(_certainty(rows, places, space))


def criterion_2(tables: Sequence[Table], places: list[Place], space: Space) -> NDArray[np.float64]:
    """Criterion 1 times ``minmax(stability)``.

    stability = mean histogram intersection, ``sum over o of min(p_o, q_o)``, of the current
    distribution with those of the epochs before; without such epochs it says nothing, and
    criterion 1 decides alone.
    """
    score = criterion_1(tables, places, space)
    if len(tables) == 1:
        return score
    rows = np.stack([tables[-1][place] for place in places])
    past = [np.stack([table[place] for place in places]) for table in tables[:-1]]
    stability = np.mean([np.minimum(rows, old).sum(1) for old in past], axis=0)
    return score * _minmax(stability)


def _split(
    rows: NDArray[np.float64], places: list[Place], space: Space
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probabilities of ``zero`` and of the rest."""
    zero = [op == ZERO for op in space.operations(places[0].space)]
    return rows[:, zero].sum(1), rows[:, [not z for z in zero]]


def _importance(
    rows: NDArray[np.float64], places: list[Place], space: Space
) -> NDArray[np.float64]:
    return 1 - _split(rows, places, space)[0]


def _certainty(rows: NDArray[np.float64], places: list[Place], space: Space) -> NDArray[np.float64]:
    rest = _split(rows, places, space)[1]
    if rest.shape[1] == 1:
        return np.ones(len(rows))
    p = rest / rest.sum(1, keepdims=True)
    entropy = -(p * np.log(np.maximum(p, 1e-300))).sum(1)
    return np.asarray(1 - entropy / np.log(rest.shape[1]))


def _minmax(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scaled to 0 .. 1; equal values are all 0."""
    low, high = values.min(), values.max()
    return np.zeros_like(values) if high == low else (values - low) / (high - low)
