"""Several trainings of the chosen architecture that predict as one."""

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

import argnp


def paths(count: int) -> list[Data]:
    """Paths of 3 to 9 nodes; the target is how many of their nodes are of kind 1."""
    generator = torch.Generator().manual_seed(0)
    graphs = []
    for number in range(count):
        nodes = torch.arange(3 + number % 7)
        forth = torch.stack([nodes[:-1], nodes[1:]])
        x = torch.randint(0, 3, (len(nodes), 1), generator=generator)
        edges = torch.cat([forth, forth.flip(0)], 1)
        graphs.append(Data(x=x, edge_index=edges, y=(x == 1).sum().float()))
    return graphs


def test_an_ensemble_predicts_the_mean_and_is_what_was_tested(tmp_path):
    graphs = paths(40)
    result = argnp.fit(
        graphs,
        size=2,
        search_epochs=2,
        epochs=3,
        ensemble=3,
        quiet=True,
        output_dir=tmp_path / "run",
    )
    model = argnp.load(tmp_path / "run")
    assert len(model.networks) == 3
    together = model.predict_rows(graphs)
    alone = model.predict_rows(graphs, ensemble=False)
    assert together.spread is not None
    assert not np.allclose(alone.values, together.values)
    assert model.metrics.test["mae"] == pytest.approx(result.metrics["mae"])
    assert model.metrics.validation["mae"] == pytest.approx(result.validation["mae"])


def test_one_training_is_no_ensemble():
    result = argnp.fit(paths(40), size=2, search_epochs=2, epochs=2, quiet=True)
    assert len(result.packaged.networks) == 1
