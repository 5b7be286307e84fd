"""TSP: which links between neighbouring points lie on the shortest round trip."""

from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from argnp.data.generators.generated import Counts, Generated, graph_rngs, in_order, pointers
from argnp.data.generators.tours import tours
from argnp.data.generators.tours_kept import kept_tours
from argnp.data.molecules.convert import Progress
from argnp.data.raw import RawGraphs
from argnp.errors import UserError

_LABELS = ("off tour", "on tour")


class TspRecipe(msgspec.Struct, frozen=True):
    """``smallest`` to ``largest`` points, each linked to its nearest ``neighbours``.

    ``workers``: threads that find tours, 0 for one per processor; the tours do not change.
    """

    smallest: Annotated[int, Meta(ge=5)] = 50
    largest: Annotated[int, Meta(ge=5, le=5000)] = 500
    neighbours: Annotated[int, Meta(ge=2)] = 25
    workers: Annotated[int, Meta(ge=0)] = 0


def tsp(
    recipe: TspRecipe, counts: Counts, seed: int, progress: Progress | None = None
) -> Generated:
    """Points uniform in the unit square; node feature: coordinates, edge feature: distance.

    An edge leads from a point to one of its nearest neighbours; its target says whether the
    optimal tour joins the two, either way round.
    """
    if recipe.smallest > recipe.largest:
        raise UserError(
            f"tsp: smallest={recipe.smallest} exceeds largest={recipe.largest}; "
            "graphs have smallest to largest points"
        )
    points = [
        rng.random((rng.integers(recipe.smallest, recipe.largest, endpoint=True), 2))
        for rng in graph_rngs(counts, seed, recipe=4)
    ]
    around = [nearest(p, recipe.neighbours) for p in points]
    orders = kept_tours(points, lambda: tours(points, recipe.workers, progress))
    edges = [_edges(neighbours) for _, neighbours in around]
    raw = RawGraphs(
        node_ptr=pointers([len(p) for p in points]),
        edge_ptr=pointers([edge.shape[1] for edge in edges]),
        edge_index=np.concatenate(edges, axis=1),
        x=np.concatenate(points).astype(np.float32),
        edge_attr=np.concatenate([d.reshape(-1, 1) for d, _ in around]).astype(np.float32),
        y=np.concatenate([_on_tour(e, order) for e, order in zip(edges, orders, strict=True)]),
        level="edge",
        labels=_LABELS,
    )
    return Generated(raw, in_order(counts))


def nearest(
    points: NDArray[np.float64], neighbours: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Distances and numbers (n, k) of every point's nearest other points."""
    k = min(neighbours, len(points) - 1)
    distance, number = cKDTree(points).query(points, k=k + 1)
    return distance[:, 1:], number[:, 1:].astype(np.int64)


def _edges(neighbours: NDArray[np.int64]) -> NDArray[np.int32]:
    source = np.repeat(np.arange(len(neighbours)), neighbours.shape[1])
    return np.stack([source, neighbours.ravel()]).astype(np.int32)


def _on_tour(edge_index: NDArray[np.int32], order: NDArray[np.int32]) -> NDArray[np.int64]:
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    apart = np.abs(place[edge_index[0]] - place[edge_index[1]])
    joined: NDArray[np.int64] = ((apart == 1) | (apart == len(order) - 1)).astype(np.int64)
    return joined
