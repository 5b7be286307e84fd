"""Point clouds as graphs: every point is told of its nearest neighbours."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from argnp.data.batch import GraphBatch
from argnp.kernels.fused import unavailable
from argnp.kernels.fused_neighbours import MOST, nearest_in_clouds
from argnp.kernels.topology import Topology

NEIGHBOURS = 9
SCALE = (2 / 3, 3 / 2)
SHIFT = 0.2
Int64 = NDArray[np.int64]
Points = NDArray[np.float32]


@dataclass(frozen=True)
class Clouds:
    """G clouds of P points each, and their classes."""

    points: Points  # (G, P, 3)
    y: Int64  # (G,)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class PointCloudSource:
    """A graph source. Relations lead from each of a point's k nearest to the point.

    Node features are the coordinates. In training (``rng`` given) every cloud is stretched
    along the axes and moved at random, and neighbours are those of the changed cloud;
    otherwise neighbours are found once and kept. ``workers`` threads share a batch; the
    result does not depend on them.
    """

    clouds: Clouds
    neighbours: int = NEIGHBOURS
    workers: int = 1
    _kept: dict[int, NDArray[np.int32]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.clouds.points)

    @property
    def _k(self) -> int:
        return min(self.neighbours, int(self.clouds.points.shape[1]) - 1)

    def sizes(self) -> tuple[Int64, Int64]:
        """Nodes and relations of every graph."""
        points = self.clouds.points.shape[1]
        return (
            np.full(len(self), points, dtype=np.int64),
            np.full(len(self), points * self._k, dtype=np.int64),
        )

    def batch(
        self,
        graphs: Int64,
        *,
        rng: np.random.Generator | None = None,
        rows: Int64 | None = None,
    ) -> GraphBatch:
        """The clouds of these numbers, in this order. A cloud is one target row."""
        graphs = np.array(graphs, dtype=np.int64)
        points = self.clouds.points[graphs]
        if rng is None:
            around = self._lasting(graphs)
        else:
            points = jitter(points, rng)
            around = self._anew(points)
        count, size, k = around.shape
        first = np.arange(count, dtype=np.int32) * size
        weight = None if rows is None else np.isin(graphs, rows).astype(np.float32)
        topology = Topology(
            num_nodes=count * size,
            source=torch.from_numpy((around + first[:, None, None]).ravel()),
            target=torch.arange(count * size, dtype=torch.int32).repeat_interleave(k),
            node_ptr=torch.arange(count + 1, dtype=torch.int32) * size,
            relation_ptr=torch.arange(count + 1, dtype=torch.int32) * (size * k),
            degree=torch.full((count * size,), float(k)),
        )
        return GraphBatch(
            topology=topology,
            node=torch.from_numpy(points.reshape(-1, 3)),
            edge=None,
            target=torch.from_numpy(self.clouds.y[graphs]),
            weight=None if weight is None else torch.from_numpy(weight),
            graph=torch.from_numpy(graphs),
        )

    def _lasting(self, graphs: Int64) -> NDArray[np.int32]:
        """(B, P, k) neighbours in the clouds as they are stored."""
        missing = [g for g in dict.fromkeys(graphs.tolist()) if g not in self._kept]
        found = self._map(self._nearest, self.clouds.points[missing])
        self._kept.update(zip(missing, found, strict=True))
        return np.stack([self._kept[g] for g in graphs.tolist()])

    def _anew(self, points: Points) -> NDArray[np.int32]:
        """Neighbours in clouds that are seen once, as every batch of training brings them."""
        if self._k > 0 and points.shape[1] <= MOST and unavailable() is None:
            return nearest_in_clouds(torch.from_numpy(points), self._k).numpy()
        return np.stack(list(self._map(self._nearest, points)))

    def _nearest(self, points: Points) -> NDArray[np.int32]:
        return nearest_points(points, self._k)

    def _map(
        self, function: Callable[[Points], NDArray[np.int32]], clouds: Points
    ) -> Iterable[NDArray[np.int32]]:
        if self.workers == 1 or len(clouds) < 2:
            return map(function, clouds)
        with ThreadPoolExecutor(self.workers) as pool:  # the tree search lets go of the GIL
            return list(pool.map(function, clouds))


def nearest_points(points: Points, k: int) -> NDArray[np.int32]:
    """(P, k) numbers of the k nearest other points, nearest first."""
    _, found = cKDTree(points).query(points, k=k + 1)
    # Of points in one place any may come first; with more than k of them, the point itself
    # may be missing, and the last is dropped instead.
    itself = found == np.arange(len(points))[:, None]
    itself[:, -1] |= ~itself.any(axis=1)
    others: NDArray[np.int32] = found[~itself].reshape(len(points), k).astype(np.int32)
    return others


def jitter(points: Points, rng: np.random.Generator) -> Points:
    """Every cloud stretched by 2/3..3/2 along each axis, then moved by up to 0.2 along each."""
    shape = (len(points), 1, 3)
    scale = rng.uniform(*SCALE, size=shape).astype(np.float32)
    return points * scale + rng.uniform(-SHIFT, SHIFT, size=shape).astype(np.float32)
