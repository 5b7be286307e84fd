import random

import numpy as np
import pytest

from argnp.arch import Space, sample
from argnp.data.ingest import ingest
from argnp.model.features import first_component, seen
from argnp.nets.network import build
from argnp.nets.widths import Widths


@pytest.mark.parametrize(("rows", "width"), [(40, 7), (4, 9), (2, 3)])
def test_the_component_is_that_of_the_decomposition(rows, width):
    x = np.random.default_rng(rows).normal(size=(rows, width)) * np.arange(1, width + 1)
    u, s, v = np.linalg.svd(x - x.mean(0), full_matrices=False)
    expected = u[:, 0] * s[0] * np.sign(v[0, np.abs(v[0]).argmax()])
    np.testing.assert_allclose(first_component(x), expected, atol=1e-9)


def test_the_sign_does_not_depend_on_the_order_of_rows():
    x = np.random.default_rng(0).normal(size=(30, 5))
    order = np.random.default_rng(1).permutation(30)
    np.testing.assert_allclose(first_component(x[order]), first_component(x)[order], atol=1e-9)


@pytest.mark.parametrize("x", [np.empty((0, 4)), np.ones((5, 3)), np.ones((1, 3))])
def test_where_nothing_varies_all_is_zero(x):
    assert first_component(x).tolist() == [0.0] * len(x)


@pytest.mark.parametrize("relations", [True, False])
@pytest.mark.parametrize("cells", [1, 2])
def test_every_vertex_of_every_cell_is_seen(raw_graphs, cells, relations):
    dataset = ingest(raw_graphs(), name="rings", relations="auto" if relations else "off")
    architecture = sample(3, random.Random(0), Space(cells=cells, relations=relations))
    network = build(architecture, Widths(6, 5, 7, 4), dataset.schema, seed=0)
    batch = dataset.source.batch(np.array([0]))
    found = seen(network, batch)
    assert len(found) == 1 + 3 * cells
    assert found[0].name == "input"
    assert found[-1].name.endswith("V₃, E₃" if relations else "V₃")
    assert len({one.name for one in found}) == len(found)
    for one in found:
        assert len(one.node) == batch.topology.num_nodes
        assert len(one.relation) == (batch.topology.num_relations if relations else 0)
