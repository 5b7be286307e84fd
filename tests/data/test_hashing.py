"""Hashes tell numbers apart, and nothing else."""

import numpy as np
import pytest

from argnp.data import hashing
from argnp.data.hashing import digest, mix, mix_rows

ZERO = np.zeros(3, dtype=np.uint64)


def test_mixing_is_one_to_one():
    assert len(np.unique(mix(np.arange(100_000, dtype=np.uint64)))) == 100_000


def test_rows_differ_by_value_column_and_start():
    rows = np.array([[1, 2], [2, 1], [1, 2]])
    hashes = mix_rows(ZERO, rows)
    assert hashes[0] == hashes[2] != hashes[1]
    assert mix_rows(ZERO + np.uint64(1), rows)[0] != hashes[0]


def test_equal_numbers_are_equal_whatever_their_type():
    for left, right in (([0.0, np.nan, 3], [-0.0, -np.nan, 3.0]), ([1, 2, 3], [1, 2, 3])):
        assert np.array_equal(mix_rows(ZERO, np.array(left)), mix_rows(ZERO, np.array(right)))
    small, large = np.array([1, 2, 3], np.uint8), np.array([1, 2, 3], np.int64)
    assert np.array_equal(mix_rows(ZERO, small), mix_rows(ZERO, large))


def test_blocks_change_nothing(monkeypatch):
    rows = np.random.default_rng(0).normal(size=(50, 7))
    start = np.arange(50, dtype=np.uint64)
    whole = mix_rows(start, rows)
    monkeypatch.setattr(hashing, "BLOCK", 20)
    assert np.array_equal(mix_rows(start, rows), whole)


@pytest.mark.parametrize(
    "other",
    [
        [("a", np.array([1, 2, 4]))],
        [("b", np.array([1, 2, 3]))],
        [("a", np.array([1.0, 2, 3]))],
        [("a", np.array([[1, 2, 3]]))],
        [],
    ],
)
def test_a_digest_is_of_names_types_shapes_and_values(other):
    first = digest([("a", np.array([1, 2, 3])), ("none", None)])
    assert first == digest([("a", np.array([1, 2, 3]))])
    assert first != digest(other)
