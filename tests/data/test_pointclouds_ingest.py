import numpy as np
import pytest

from argnp.data.pointclouds import Clouds
from argnp.data.pointclouds_ingest import cloud_options, ingest_clouds
from argnp.data.schema import Encoding
from argnp.errors import UserError

SPLITS = {"train": np.arange(4), "val": np.array([4]), "test": np.array([5])}


def clouds(graphs=6):
    points = np.random.default_rng(0).normal(size=(graphs, 12, 3)).astype(np.float32)
    return Clouds(points, np.arange(graphs) % 2, ("chair", "table"))


def test_clouds_become_a_dataset():
    data = ingest_clouds(clouds(), name="c", splits=SPLITS)
    assert data.schema.task.name == "graph-classification"
    assert data.schema.task.labels == ("chair", "table")
    assert (data.schema.node.width, data.schema.edge.kind) == (3, "none")
    assert data.metric == "accuracy"
    assert data.source.batch(data.splits["val"]).target.tolist() == [0]


def test_the_content_decides_the_fingerprint():
    one, same = (ingest_clouds(clouds(), name=n, splits=SPLITS).fingerprint for n in "ab")
    moved = clouds()
    moved.points[3, 2, 1] += 1
    assert one == same != ingest_clouds(moved, name="a", splits=SPLITS).fingerprint


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"relations": "undirected"}, "directed relations"),
        ({"encoding": Encoding("lap", 8)}, "no positional encoding"),
        ({"metric": "mae"}, "does not fit"),
        ({"splits": {**SPLITS, "val": np.array([9])}}, "there is no cloud 9"),
    ],
)
def test_what_clouds_cannot_do_is_refused(options, line):
    with pytest.raises(UserError, match=line):
        ingest_clouds(clouds(), **{"name": "c", "splits": SPLITS, **options})


def test_a_broken_coordinate_is_named():
    broken = clouds()
    broken.points[3, 2, 1] = np.nan
    with pytest.raises(UserError, match="c, cloud 3"):
        ingest_clouds(broken, name="c", splits=SPLITS)


def test_options_of_packed_graphs_are_left_out():
    assert cloud_options({"cache": None, "split": "random", "metric": "f1"}) == {"metric": "f1"}
