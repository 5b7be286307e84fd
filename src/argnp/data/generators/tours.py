"""Shortest round trips through points in the plane."""

import os
import threading
import time
from concurrent.futures import CancelledError
from queue import Empty, SimpleQueue
from typing import Final

import numpy as np
from numpy.typing import NDArray

from argnp.data.molecules.convert import Progress
from argnp.errors import UserError

Points = NDArray[np.float64]
# The solver takes whole numbers up to 65535; the unit square's diagonal is 1.4142 long.
_SCALE: Final = 46_000
_SECONDS: Final = 0.1  # of search for 100 points or fewer
_GROWTH: Final = 1.5  # power of the number of points with which the need grows
_ATTEMPTS: Final = 4
_PATIENCE: Final = 1.5  # seconds that an interruption waits for searches to end
_WAKING = 0.2  # seconds between looks at whether anybody interrupts


def tours(
    points: list[Points], workers: int = 0, progress: Progress | None = None
) -> list[NDArray[np.int32]]:
    """(n,) the order of each set of points along its tour, from point 0 on.

    ``workers``: threads, 0 for one per processor; the solver runs outside the interpreter.
    An interruption is over after two seconds at most, however long a search takes.
    """
    try:
        import fast_tsp  # noqa: F401
    except ImportError:
        raise UserError("tsp: fast-tsp finds the tours; pip install 'argnp[tsp]'") from None
    waiting: SimpleQueue[int] = SimpleQueue()
    done: SimpleQueue[tuple[int, NDArray[np.int32] | BaseException]] = SimpleQueue()
    stop = threading.Event()
    for number in range(len(points)):
        waiting.put(number)

    def work() -> None:
        while not stop.is_set():
            try:
                number = waiting.get_nowait()
            except Empty:
                return
            try:
                done.put((number, tour(points[number], stop)))
            except BaseException as failed:  # it is raised where it can be caught
                done.put((number, failed))

    # No pool: its threads are waited for, and nothing ends a search before its time.
    count = min(workers or os.cpu_count() or 1, len(points))
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    found: dict[int, NDArray[np.int32]] = {}
    try:
        for thread in threads:
            thread.start()
        while len(found) < len(points):
            try:
                # Not without end: an interruption just before it would wait for a tour.
                number, order = done.get(timeout=_WAKING)
            except Empty:
                continue
            if isinstance(order, BaseException):
                raise order
            found[number] = order
            if progress is not None:
                progress(len(found), len(points))
    finally:
        stop.set()
        patience = time.monotonic() + _PATIENCE
        for thread in threads:
            if thread.is_alive():  # an interruption may come before all have begun
                thread.join(max(0.0, patience - time.monotonic()))
    return [found[number] for number in range(len(points))]


def tour(points: Points, stop: threading.Event | None = None) -> NDArray[np.int32]:
    """Two searches, under different numberings of the points, until both end equally short.

    The solver is stopped by the clock, so that one search may end anywhere; two that start
    apart and end together have ended at the optimum, whatever the machine. While they differ,
    or a busy machine gave them less than half of the time, they get twice as much. None begins
    after ``stop``.
    """
    n = len(points)
    if n < 4:
        return np.arange(n, dtype=np.int32)
    between = np.linalg.norm(points[:, None] - points, axis=2)
    distance = np.rint(between * _SCALE).astype(np.int64)
    rng = np.random.default_rng(n)
    seconds = enough = _SECONDS * max(1.0, n / 100) ** _GROWTH
    found: list[NDArray[np.int32]] = []
    for _ in range(_ATTEMPTS):
        before = time.thread_time()
        for _ in range(2):
            if stop is not None and stop.is_set():
                raise CancelledError
            found.append(_search(distance, rng.permutation(n), seconds))
        searched = time.thread_time() - before
        one, other = (int(distance[t, np.roll(t, -1)].sum()) for t in found[-2:])
        if searched >= enough and one == other:
            break
        seconds *= 2
    # Whole numbers may tie; the true lengths do not.
    return min(found, key=lambda t: float(between[t, np.roll(t, -1)].sum()))


def _search(
    distance: NDArray[np.int64], order: NDArray[np.int64], seconds: float
) -> NDArray[np.int32]:
    import fast_tsp

    numbered = distance[np.ix_(order, order)].tolist()
    found = order[np.array(fast_tsp.find_tour(numbered, duration_seconds=seconds))]
    found = np.roll(found, -int(np.flatnonzero(found == 0)[0]))
    if found[1] > found[-1]:  # there and back are one tour
        found = np.concatenate([found[:1], found[:0:-1]])
    tour_from_0: NDArray[np.int32] = found.astype(np.int32)
    return tour_from_0
