"""What is saved is fitted as the objects themselves are."""

import pytest
import torch
from tests.workflows.test_ensemble import paths

import argnp
from argnp.errors import UserError

FAST = {"size": 2, "search_epochs": 1, "epochs": 2, "width": 8, "quiet": True}


@pytest.mark.parametrize("options", [{}, {"pe": "lap:2", "split_sizes": (0.6, 0.2, 0.2)}])
def test_a_saved_dataset_is_fitted_as_the_objects_are(tmp_path, options):
    graphs = paths(40)
    folder = argnp.save_dataset(graphs, tmp_path / "saved", seed=3, **options)
    saved = argnp.fit(folder, seed=3, **FAST)
    direct = argnp.fit(graphs, seed=3, **FAST, **options)
    assert saved.metrics == direct.metrics
    assert saved.validation == direct.validation
    assert saved.architecture == direct.architecture
    assert saved.predict(graphs[:5]).tolist() == direct.predict(graphs[:5]).tolist()


def test_one_graph_with_masks_is_saved_with_them(tmp_path):
    graph = paths(40)[-1]
    nodes = graph.num_nodes
    graph.y = torch.arange(nodes) % 2
    graph.train_mask, graph.val_mask, graph.test_mask = (
        torch.arange(nodes) % 3 == part for part in range(3)
    )
    folder = argnp.save_dataset(graph, tmp_path / "saved")
    assert argnp.fit(folder, **FAST).metrics == argnp.fit(graph, **FAST).metrics


def test_point_clouds_are_saved_too(tmp_path):
    options = {"graphs": "12/3/3", "data__recipe": {"points": 8}}
    folder = argnp.save_dataset("shapes", tmp_path / "saved", **options)
    found = argnp.search(str(folder), size=2, strategy="random", quiet=True)
    assert found.architectures


def test_what_is_there_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="exists already; give another folder or remove it"):
        argnp.save_dataset(paths(40), tmp_path)
    with pytest.raises(UserError, match="cannot be written"):
        argnp.save_dataset(paths(40), tmp_path / "notes.txt" / "inside")
