"""From point clouds to a dataset that a network can be built for and trained on."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from argnp.data.dataset import Dataset, Split
from argnp.data.hashing import digest
from argnp.data.infer import infer_metric, infer_task
from argnp.data.pointclouds import NEIGHBOURS, Clouds, Int64, PointCloudSource
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding, Features, Schema
from argnp.data.splits import check_splits
from argnp.errors import UserError

_NO_ENCODING = Encoding()
_OF_PACKED = ("cache", "split", "split_sizes", "by_row")


def ingest_clouds(
    clouds: Clouds,
    *,
    name: str,
    splits: Mapping[Split, Int64],
    task: str | None = None,
    metric: str | None = None,
    relations: str = "auto",
    encoding: Encoding = _NO_ENCODING,
    notes: Sequence[str] = (),
    neighbours: int = NEIGHBOURS,
    workers: int = 1,
) -> Dataset:
    """Checks and infers as for graphs; what cannot be asked of point clouds is refused."""
    if relations == "undirected":
        raise UserError(
            f"{name}: neighbours of points are directed relations; use --relations directed or off"
        )
    if encoding.kind != "none":
        raise UserError(f"{name}: point clouds take no positional encoding; use --pe none")
    bad = ~np.isfinite(clouds.points).all(axis=(1, 2))
    if bad.any():
        raise UserError(f"{name}, cloud {int(bad.argmax())}: a coordinate is no finite number")
    inferred = infer_task(_targets(clouds), task or "graph-classification")
    metric, why = infer_metric(inferred.task, metric or "accuracy")
    source = PointCloudSource(
        Clouds(clouds.points, inferred.y, inferred.task.labels),
        neighbours=neighbours,
        workers=workers,
    )
    final = check_splits(splits, len(source), "cloud")
    return Dataset(
        name=name,
        source=source,
        splits=final,
        schema=Schema(
            task=inferred.task,
            node=Features("floats", width=3),
            edge=Features("none"),
            relations="off" if relations == "off" else "directed",
        ),
        metric=metric,
        fingerprint=digest([("points", clouds.points), ("y", clouds.y), *final.items()]),
        notes=(*notes, inferred.why, why),
    )


def cloud_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options of :func:`argnp.data.ingest.ingest` without those that clouds have no use for."""
    return {name: value for name, value in options.items() if name not in _OF_PACKED}


def _targets(clouds: Clouds) -> RawGraphs:
    """The classes alone, as the inference of tasks wants them."""
    graphs = len(clouds.y)
    nothing = np.zeros(graphs + 1, dtype=np.int64)
    return RawGraphs(
        node_ptr=nothing,
        edge_ptr=nothing,
        edge_index=np.empty((2, 0), dtype=np.int32),
        y=clouds.y,
        labels=clouds.labels,
    )
