"""Batches by the size of the training set, where nobody said."""

import pytest
from tests.workflows.conftest import SmallRun

from argnp.train.observer import Silent
from argnp.workflows.batches import suitable
from argnp.workflows.configure import configure
from argnp.workflows.context import make_context


@pytest.mark.parametrize(
    ("examples", "size"), [(3, 8), (384, 16), (902, 32), (3071, 64), (3072, 128), (100_000, 128)]
)
def test_small_sets_take_small_batches(examples: int, size: int) -> None:
    assert suitable(examples) == size


@pytest.mark.parametrize(("told", "train", "search"), [({}, 8, 8), ({"train.batch_size": 5}, 5, 8)])
def test_what_was_told_stays(
    small_run: SmallRun, told: dict[str, int], train: int, search: int
) -> None:
    settings = configure(flags={"data.data": "none", **told})
    context, _ = make_context(settings, small_run.context.dataset, Silent())
    assert context.settings.train.batch_size == train
    assert context.settings.search.batch_size == search
