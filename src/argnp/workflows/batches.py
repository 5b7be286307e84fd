"""How many graphs a step takes where nobody said."""

from typing import Final

import msgspec

from argnp.data.dataset import Dataset
from argnp.workflows.settings import Settings

LARGEST: Final = 128
_LEAST: Final = 8
_STEPS: Final = 24  # of an epoch, at least


def with_batches(settings: Settings, dataset: Dataset) -> Settings:
    """The settings with batch sizes in place of 0.

    Small training sets take smaller batches: an epoch of a few steps leaves the weights, and in
    the search the alphas, near where they began.
    """
    size = suitable(len(dataset.splits["train"]))
    replace = msgspec.structs.replace
    return replace(
        settings,
        search=replace(settings.search, batch_size=settings.search.batch_size or size),
        train=replace(settings.train, batch_size=settings.train.batch_size or size),
    )


def suitable(examples: int) -> int:
    """The largest power of two, within bounds, that makes enough steps of these examples."""
    size = LARGEST
    while size > _LEAST and size * _STEPS > examples:
        size //= 2
    return size
