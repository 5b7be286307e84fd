import numpy as np
import pytest

from argnp.data.generators.generated import graph_rngs, in_order, read_counts
from argnp.errors import UserError


@pytest.mark.parametrize(
    ("graphs", "expected"),
    [
        (None, (10_000, 1_000, 1_000)),
        (120, (100, 10, 10)),
        (3, (1, 1, 1)),
        ((5, 6, 7), (5, 6, 7)),
        ([5, 6, 7], (5, 6, 7)),
    ],
)
def test_counts(graphs, expected):
    assert read_counts(graphs, (10_000, 1_000, 1_000)) == expected


@pytest.mark.parametrize("graphs", [2, 0, -4, (1, 2), (5, 0, 5), (1, 2, 3, 4)])
def test_counts_that_leave_a_split_empty_are_refused(graphs):
    with pytest.raises(UserError, match="--graphs"):
        read_counts(graphs, (10, 1, 1))


def test_splits_stand_in_order():
    splits = in_order((3, 1, 2))
    assert {name: s.tolist() for name, s in splits.items()} == {
        "train": [0, 1, 2],
        "val": [3],
        "test": [4, 5],
    }


def test_a_graph_does_not_depend_on_how_many_others_there_are():
    few, many = graph_rngs((2, 1, 1), 5, recipe=1), graph_rngs((9, 4, 1), 5, recipe=1)
    same = [(0, 0), (1, 1), (2, 9), (3, 13)]
    assert all(few[i].random() == many[j].random() for i, j in same)
    draws = {rng.random() for rng in graph_rngs((5, 5, 5), 5, recipe=1)}
    draws |= {rng.random() for rng in graph_rngs((5, 5, 5), 5, recipe=2)}
    draws |= {rng.random() for rng in graph_rngs((5, 5, 5), 6, recipe=1)}
    assert len(draws) == 45
    assert isinstance(few[0], np.random.Generator)
