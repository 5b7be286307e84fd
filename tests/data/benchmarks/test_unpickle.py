import io
import pickle
from collections import OrderedDict, defaultdict

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from argnp.data.benchmarks.unpickle import load


def matrix(**changes):
    """1 x 2 with one number; ``changes`` replace parts of it, unchecked."""
    made = csr_matrix(np.array([[0.0, 1.0]]))
    vars(made).update(changes)
    return made


BEYOND = {"indices": np.array([9], dtype=np.int32)}


def listed(made):
    array = np.empty(1, dtype=object)
    array[0] = made
    return array


def within_itself(made):
    ring = [made]
    ring.append(ring)
    return ring


@pytest.mark.parametrize(
    "changes",
    [
        BEYOND,
        {"indices": np.array([-1], dtype=np.int32)},
        {"indptr": np.array([0, 9], dtype=np.int32)},
        {"indptr": np.array([0], dtype=np.int32)},
        {"indices": [1]},
        {"data": None},
        {**BEYOND, "check_format": OrderedDict},
    ],
)
def test_a_matrix_that_points_beyond_itself_is_refused(changes):
    with pytest.raises(pickle.UnpicklingError, match="a sparse matrix is inconsistent"):
        load(io.BytesIO(pickle.dumps(matrix(**changes))))


@pytest.mark.parametrize(
    "hide",
    [
        lambda made: [0, [made]],
        lambda made: (made, made),
        lambda made: {0: [made]},
        lambda made: OrderedDict(a=made),
        lambda made: defaultdict(list, {1: made}),
        listed,
        within_itself,
    ],
)
def test_wherever_it_is(hide):
    assert load(io.BytesIO(pickle.dumps(hide(matrix())))) is not None
    with pytest.raises(pickle.UnpicklingError, match="a sparse matrix is inconsistent"):
        load(io.BytesIO(pickle.dumps(hide(matrix(**BEYOND)))))


def test_what_is_consistent_is_read():
    found = load(io.BytesIO(pickle.dumps({"x": matrix()}, protocol=2)), encoding="latin1")
    assert found["x"].todense().tolist() == [[0.0, 1.0]]
