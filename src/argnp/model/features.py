"""What the vertices of a network see: every feature vector of a graph as one number."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from argnp.arch import IN1
from argnp.data.batch import GraphBatch
from argnp.nets.network import Network

Numbers = NDArray[np.float64]
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Seen:
    """A vertex: a number per node, and one per relation (none without a relation stream)."""

    name: str
    node: Numbers
    relation: Numbers


def seen(network: Network, batch: GraphBatch) -> list[Seen]:
    """The network's input, and every vertex of every cell, in order."""
    found = []
    cells = network.features(batch.to(network.device))
    for cell, streams in enumerate(cells):
        for number, pair in sorted(streams.items()):
            if number < IN1 or (number == IN1 and cell > 0):
                continue
            lowered = str(number).translate(_LOWERED)
            both = f"V{lowered}, E{lowered}" if pair.E is not None else f"V{lowered}"
            name = "input" if number == IN1 else both
            if len(cells) > 1 and number != IN1:
                name = f"cell {cell + 1}, {name}"
            found.append(Seen(name, _reduced(pair.V), _reduced(pair.E)))
    return found


def first_component(rows: Numbers) -> Numbers:
    """(n,) scores of (n, d) rows on their first principal component.

    The component's largest entry is positive, the first of them where there are several: a
    sign that depends on nothing else.
    """
    if not rows.size:
        return np.zeros(len(rows))
    centred = rows - rows.mean(axis=0)
    loading = np.linalg.eigh(centred.T @ centred)[1][:, -1]
    size = np.abs(loading)
    leading = loading[int((size > size.max() * (1 - 1e-9)).argmax())]
    scores: Numbers = centred @ loading * np.sign(leading)
    return scores


def _reduced(stream: Tensor | None) -> Numbers:
    if stream is None:
        return np.empty(0)
    return first_component(stream.double().cpu().numpy())
