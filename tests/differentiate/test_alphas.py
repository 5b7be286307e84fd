import json

import numpy as np
import pytest
import torch

from argnp.arch import Space, sample, undecided
from argnp.arch.divide import divide
from argnp.arch.graph import Place
from argnp.differentiate.alphas import Alphas, flatten
from argnp.differentiate.decide import decide
from argnp.train.seeds import python_random


def test_alphas_start_near_zero() -> None:
    alphas = Alphas(undecided(8, Space()), np.random.default_rng(0))
    for name in ("node", "relation"):
        rows = alphas.rows[name].detach()
        assert rows.shape == (2 + 3 + 4 + 5 + 6 + 7 + 8 + 9, 8)
        assert 0 <= float(rows.min()) < 1e-4
        assert 9e-4 < float(rows.max()) < 1e-3
        assert float(alphas.probabilities()[name].detach().std()) < 1e-4


def test_only_mixture_links_have_alphas() -> None:
    supernet = divide(sample(2, python_random(0), Space()))
    alphas = Alphas(supernet, np.random.default_rng(0))
    assert alphas.rows["node"].shape[0] == 6
    assert set(alphas.index["node"]) == {
        (place.vertex, link.source) for place, link in supernet.places("node") if not link.decided
    }


def test_rows_stay_while_links_are_decided_and_pruned() -> None:
    architecture = undecided(2, Space())
    alphas = Alphas(architecture, np.random.default_rng(0))
    with torch.no_grad():
        alphas.rows["node"].copy_(torch.arange(5.0)[:, None] * torch.arange(8.0))
    assert alphas.row(architecture, Place("node", 2, 2)) == 4
    architecture = decide(architecture, Place("node", 2, 0), "V_SUM")
    architecture = decide(architecture, Place("node", 2, 2), "V_MAX")  # in1 is pruned
    assert len(architecture.vertex(2).node) == 2
    assert alphas.row(architecture, Place("node", 2, 1)) == 4
    table = alphas.table(architecture)
    assert [(v, k) for v, k, _ in table["node"]] == [(1, 0), (1, 1)]
    assert [(v, k) for v, k, _ in table["relation"]] == [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    expected = torch.softmax(torch.arange(8.0), 0).tolist()
    assert table["node"][1][2] == pytest.approx(expected, abs=1e-5)
    assert json.loads(json.dumps(table))["node"][0][2] == pytest.approx([1 / 8] * 8)


def test_flat_weights_end_with_a_one() -> None:
    alphas = Alphas(undecided(1, Space()), np.random.default_rng(0))
    flat = flatten(alphas.probabilities())
    assert flat["node"].shape == (17,)
    assert flat["node"][-1].item() == 1.0
    assert flat["node"][:8].sum().item() == pytest.approx(1.0)
