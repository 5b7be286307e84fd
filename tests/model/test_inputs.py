import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from argnp.data.ingest import ingest
from argnp.data.pointclouds import Clouds
from argnp.data.pointclouds_ingest import ingest_clouds
from argnp.errors import UserError
from argnp.model.load import load_model


def _clouds(count: int = 12) -> Clouds:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(count, 20, 3)).astype(np.float32)
    return Clouds(points, np.arange(count) % 2, ("flat", "round"))


@pytest.fixture
def clouds():
    splits = {"train": np.arange(6), "val": np.arange(6, 9), "test": np.arange(9, 12)}
    return ingest_clouds(_clouds(), name="clouds", splits=splits, neighbours=4)


def test_points_without_edges_get_the_neighbours_of_training(clouds, package, tmp_path):
    model = load_model(package(clouds, tmp_path / "m", neighbours=4).folder)
    points = [Data(pos=torch.from_numpy(cloud)) for cloud in _clouds().points]
    expected = model.predict(clouds)
    np.testing.assert_allclose(model.predict(points), expected, rtol=0, atol=1e-6)


def test_clouds_of_other_neighbours_are_refused(clouds, package, tmp_path):
    model = load_model(package(clouds, tmp_path / "m", neighbours=5).folder)
    with pytest.raises(UserError, match="4 neighbours each, the model was trained on 5"):
        model.predict(clouds)


def test_clouds_that_do_not_fit_are_refused(clouds, packaged):
    with pytest.raises(UserError, match="clouds: the model was trained on task graph-regression"):
        load_model(packaged.folder).predict(clouds)


def test_relations_off_reads_any_edges(package, raw_graphs, tmp_path):
    dataset = ingest(raw_graphs(), name="off", relations="off")
    model = load_model(package(dataset, tmp_path / "m").folder)
    expected = model.predict(dataset)
    kept = ingest(raw_graphs(), name="on")
    np.testing.assert_allclose(model.predict(kept), expected, rtol=0, atol=1e-6)
