"""Splits: sizes, seeds, proportions, groups, and complaints."""

import numpy as np
import pytest

from argnp.data.splits import (
    NAMES,
    check_splits,
    split_grouped,
    split_named,
    split_random,
    split_stratified,
)
from argnp.errors import UserError

SIZES = (0.8, 0.1, 0.1)


def _sizes(splits):
    return [len(splits[name]) for name in NAMES]


def _all(splits):
    return np.sort(np.concatenate([splits[name] for name in NAMES]))


def test_random_is_seeded_and_complete():
    items = np.arange(100, 200)
    one, same, other = (split_random(items, SIZES, seed) for seed in (1, 1, 2))
    assert _sizes(one) == [80, 10, 10]
    assert np.array_equal(_all(one), items)
    assert all(np.array_equal(one[name], same[name]) for name in NAMES)
    assert not np.array_equal(one["test"], other["test"])


@pytest.mark.parametrize("n", [3, 4, 7, 11])
def test_few_items_leave_no_split_empty(n):
    assert min(_sizes(split_random(np.arange(n), SIZES, 0))) >= 1


def test_classes_keep_their_shares():
    y = np.repeat([0, 1, 2], [700, 200, 100])
    splits = split_stratified(np.arange(1000), y, SIZES, 3)
    assert _sizes(splits) == [800, 100, 100]
    assert np.array_equal(_all(splits), np.arange(1000))
    for name in NAMES:
        share = np.bincount(y[splits[name]], minlength=3) / len(splits[name])
        assert np.allclose(share, [0.7, 0.2, 0.1], atol=0.021)


def test_numbers_keep_their_range():
    y = np.sort(np.random.default_rng(0).exponential(size=500))
    splits = split_stratified(np.arange(500), y, SIZES, 3)
    assert _sizes(splits) == [400, 50, 50]
    tenth = np.arange(500) // 50
    for name in ("val", "test"):
        assert np.bincount(tenth[splits[name]], minlength=10).tolist() == pytest.approx(
            [5] * 10, abs=1
        )


def test_strata_are_seeded():
    y = np.repeat([0, 1], 50)
    splits = [split_stratified(np.arange(100), y, SIZES, seed)["test"] for seed in (1, 1, 2)]
    assert np.array_equal(splits[0], splits[1])
    assert not np.array_equal(splits[0], splits[2])


@pytest.mark.parametrize("seed", range(20))
def test_training_sees_every_class_however_rare(seed):
    y = np.repeat([0, 1, 2, 3, 4], [60, 30, 1, 2, 1])
    splits = split_stratified(np.arange(94), y, SIZES, seed)
    assert set(y[splits["train"]].tolist()) == {0, 1, 2, 3, 4}
    assert _sizes(splits) == [76, 9, 9]
    assert np.array_equal(_all(splits), np.arange(94))


def test_more_classes_than_training_items_are_no_error():
    splits = split_stratified(np.arange(9), np.arange(9), (0.2, 0.4, 0.4), 0)
    assert _sizes(splits) == [1, 4, 4]


def test_groups_are_dealt_by_the_seed():
    groups = np.arange(100) // 5
    one, same, other = (split_grouped(np.arange(100), groups, SIZES, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in NAMES)
    assert not np.array_equal(one["test"], other["test"])


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -0.1])
def test_shares_that_are_none_are_refused(bad):
    for sizes in ((bad, 0.1, 0.1), (0.8, bad, 0.1), (0.8, 0.1, bad)):
        with pytest.raises(UserError, match=f"--split-sizes .*{bad:g}.*: shares are finite"):
            split_random(np.arange(20), sizes, 0)


def test_shares_that_are_all_nothing_are_refused():
    with pytest.raises(UserError, match=r"--split-sizes 0 0 0: shares are finite, .* not all 0"):
        split_random(np.arange(20), (0, 0, 0), 0)


def test_groups_stay_together():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 60, 600)
    groups[:150] = 99
    splits = split_grouped(np.arange(600), groups, SIZES, 0)
    owners = [set(groups[splits[name]].tolist()) for name in NAMES]
    assert not owners[0] & owners[1]
    assert not owners[0] & owners[2]
    assert not owners[1] & owners[2]
    assert 99 in owners[0]
    assert np.array_equal(_all(splits), np.arange(600))
    assert _sizes(splits) == pytest.approx([480, 60, 60], abs=15)


def test_a_column_may_use_other_words():
    splits = split_named(["train", " Valid", "TEST", "dev", "training"])
    assert [splits[name].tolist() for name in NAMES] == [[0, 4], [1, 3], [2]]
    with pytest.raises(UserError, match="row 1: 'tset' is no split"):
        split_named(["train", "tset"])


@pytest.mark.parametrize(
    ("splits", "complaint"),
    [
        ({"train": [0], "val": [1], "test": []}, "the test split is empty"),
        ({"train": [0], "val": [1]}, "the test split is empty"),
        ({"train": [0, 1], "val": [1], "test": [2]}, "graph 1 is in the splits more than once"),
        ({"train": [0, 0], "val": [1], "test": [2]}, "graph 0 is in the splits more than once"),
        ({"train": [0], "val": [1], "test": [3]}, "test split: there is no graph 3, only 0 to 2"),
        ({"train": [-1], "val": [1], "test": [2]}, "train split: there is no graph -1"),
    ],
)
def test_bad_splits_are_refused(splits, complaint):
    with pytest.raises(UserError, match=complaint):
        check_splits({k: np.array(v, dtype=np.int64) for k, v in splits.items()}, 3, "graph")
