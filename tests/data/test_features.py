"""Which columns are codes, and what becomes of codes nobody saw."""

import numpy as np
import pytest

from argnp.data.features import infer_features, pack_features
from argnp.data.schema import Features

ALL = np.ones(3, dtype=bool)


@pytest.mark.parametrize(
    ("rows", "features"),
    [
        (None, Features("none")),
        (np.ones((3, 0)), Features("none")),
        (np.array([[0], [4], [2]]), Features("codes", sizes=(5,))),
        (np.array([[0, 1], [4, 0], [2, 0]]), Features("codes", sizes=(5, 2))),
        (np.array([[0.0], [4], [2]]), Features("floats", width=1)),
        (np.array([[0], [4], [-1]]), Features("floats", width=1)),
        (np.array([[0], [4], [1000]]), Features("floats", width=1)),
        (np.ones((3, 65), dtype=int), Features("floats", width=65)),
    ],
)
def test_inference(rows, features):
    assert infer_features(rows, None, ALL) == features


def test_only_training_rows_count():
    rows = np.array([[0], [4], [-9]])
    training = np.array([True, False, False])
    assert infer_features(rows, None, training) == Features("codes", sizes=(1,))
    assert infer_features(rows, (7,), training) == Features("codes", sizes=(7,))


def test_unknown_codes_take_the_slot_behind_the_known():
    rows = np.array([[0, 1], [4, -1], [2, 300]])
    packed = pack_features(rows, Features("codes", sizes=(3, 2)))
    assert packed.tolist() == [[0, 1], [3, 2], [2, 2]]
    assert packed.dtype == np.uint8
    assert pack_features(rows, Features("codes", sizes=(256, 2))).dtype == np.uint16


def test_rows_are_picked():
    rows = np.array([[0.5], [1.5], [2.5]])
    picked = pack_features(rows, Features("floats", width=1), np.array([2, 0]))
    assert picked.tolist() == [[2.5], [0.5]]
    assert picked.dtype == np.float32
