from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from tests.small import small_data

from argnp.differentiate.halves import HalfBatches, halves
from argnp.errors import UserError


def test_halves_are_disjoint_and_cover_the_training_set() -> None:
    dataset = small_data(graphs=(13, 4, 4))
    own, held_out = halves(dataset, 5)
    assert (len(own), len(held_out)) == (7, 6)
    assert sorted([*own, *held_out]) == dataset.splits["train"].tolist()


def test_halves_depend_on_the_seed_alone() -> None:
    dataset = small_data()
    again, other = halves(dataset, 5), halves(dataset, 6)
    assert all(map(np.array_equal, halves(dataset, 5), again))
    assert not np.array_equal(again[0], other[0])
    # A seeded random half, not the first one.
    assert again[0].tolist() != dataset.splits["train"].tolist()[:6]


def test_a_single_item_cannot_be_halved() -> None:
    dataset = small_data()
    single = replace(dataset, splits={**dataset.splits, "train": np.array([3])})
    with pytest.raises(UserError, match=r"1 training item\(s\); a search needs 2"):
        halves(single, 0)


@pytest.mark.parametrize("batch_size", [1, 2, 4, 100])
def test_batches_keep_to_their_half(batch_size: int) -> None:
    dataset = small_data(graphs=(13, 4, 4))
    own, held_out = halves(dataset, 5)
    batches = HalfBatches(dataset, batch_size, 5)
    for epoch in range(2):
        pairs = list(batches.epoch(epoch))
        assert len(pairs) == len(batches) == -(-7 // batch_size)
        trained = [g for train, _ in pairs for g in train.graph.tolist()]
        judged = {g for _, judge in pairs for g in judge.graph.tolist()}
        assert sorted(trained) == own.tolist()
        assert judged <= set(held_out.tolist())


def test_an_epoch_is_the_same_whenever_it_comes() -> None:
    batches = HalfBatches(small_data(), 2, 5)
    list(islice(batches.epoch(0), 1))

    def told(number: int) -> list[list[int]]:
        return [b.graph.tolist() for pair in batches.epoch(number) for b in pair]

    assert told(3) == told(3)
    assert told(3) != told(4)
