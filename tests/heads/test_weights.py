"""How much each target counts."""

from dataclasses import replace

import torch
from tests.heads.conftest import Twins

from argnp.heads.weights import target_weight


def test_every_target_counts_once_where_nothing_is_said(twins: Twins) -> None:
    batch = replace(twins.pairs, target=torch.zeros(6, dtype=torch.int64))
    assert target_weight("node", batch).tolist() == [1.0] * 6
    assert target_weight("node", batch).dtype == torch.float32


def test_relations_count_by_multiplicity_in_every_column(twins: Twins) -> None:
    weight = torch.tensor([[1.0, 0], [1, 1], [0.5, 1], [0, 1]])
    batch = replace(twins.pairs, target=torch.zeros(4, 2), weight=weight)
    assert target_weight("edge", batch).tolist() == [[2, 0], [2, 2], [0.5, 1], [0, 2]]
    assert torch.equal(target_weight("graph", batch), weight)


def test_directed_relations_count_as_they_are(twins: Twins) -> None:
    batch = replace(twins.edges, target=torch.zeros(7, 1), weight=torch.arange(7.0))
    assert target_weight("edge", batch).tolist() == [[float(i)] for i in range(7)]
