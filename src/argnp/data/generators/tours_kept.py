"""Tours kept between runs.

The solver is stopped by the clock: made a second time, the same points may get another tour, and
a run that goes on would find other data than it began with.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from argnp.data.hashing import digest
from argnp.data.molecules.cache import default_folder
from argnp.errors import UserError
from argnp.runs.files import whole

Order = NDArray[np.int32]

_FORMAT: Final = 1  # of the files; raise it when tours are found in another way


def kept_tours(
    points: Sequence[NDArray[np.float64]], find: Callable[[], list[Order]]
) -> list[Order]:
    """What was found for the same points before, or what ``find`` finds now.

    A cache that cannot be read or written costs time, never a run.
    """
    sizes = np.array([len(p) for p in points], dtype=np.int64)
    facts = [("format", np.array(_FORMAT)), ("sizes", sizes), ("points", np.concatenate(points))]
    file = default_folder() / "tours" / f"{digest(facts)[:32]}.npy"
    kept = _load(file, sizes)
    if kept is None:
        found = find()
        kept = _load(file, sizes)  # another run may have been faster: all go by one file
        if kept is None:
            _store(file, found)
            return found
    return kept


def _load(file: Path, sizes: NDArray[np.int64]) -> list[Order] | None:
    try:
        orders: Order = np.load(file, allow_pickle=False)
    except (ValueError, OSError, EOFError):
        return None
    if orders.shape != (sizes.sum(),) or orders.dtype != np.int32:
        return None
    tours = np.split(orders, np.cumsum(sizes)[:-1])
    return tours if all(map(_is_tour, tours)) else None


def _is_tour(order: Order) -> bool:
    return order[0] == 0 and np.array_equal(np.sort(order), np.arange(len(order)))


def _store(file: Path, tours: list[Order]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with whole(file) as part, part.open("wb") as out:
            np.save(out, np.concatenate(tours), allow_pickle=False)
    except (OSError, UserError):
        return
