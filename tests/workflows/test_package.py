from dataclasses import replace

import numpy as np
import torch

from argnp.model.load import load_model
from argnp.workflows.package import package


def test_the_packaged_networks_are_the_chosen_ones(small_run):
    model = load_model(small_run.folder)
    assert len(model.networks) == 2
    for network, candidate in zip(model.networks, small_run.fitted.chosen, strict=True):
        state = candidate.network.state_dict()
        assert all(torch.equal(v, state[name]) for name, v in network.state_dict().items())
    assert model.architecture == small_run.fitted.chosen[0].architecture
    assert model.metrics.test == small_run.fitted.test
    assert model.metrics.validation == small_run.fitted.chosen[0].metrics
    assert model.manifest.scaling == small_run.context.scaling
    assert model.manifest.target_names == ("logS", "mass")
    assert model.manifest.molecules.smiles_column == "structure"


def test_it_goes_where_it_is_told_or_nowhere(small_run, tmp_path):
    context = replace(small_run.context, folder=None)
    assert package(context, small_run.fitted, small_run.opened) is None
    path = package(context, small_run.fitted, small_run.opened, tmp_path / "m")
    data = small_run.opened.dataset
    expected = load_model(small_run.folder).predict(data)
    assert np.array_equal(load_model(path).predict(data), expected)


def test_a_model_of_objects_is_not_called_after_their_type(small_run, tmp_path):
    dataset = replace(small_run.context.dataset, name="list")
    context = replace(small_run.context, dataset=dataset)
    path = package(context, small_run.fitted, small_run.opened, tmp_path / "m")
    assert "# own graphs: graph-regression" in (path / "README.md").read_text()
