import os
import signal
import threading
import time
from concurrent.futures import CancelledError

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from argnp.data.generators import tours as tours_module
from argnp.data.generators.tours import tour, tours

pytest.importorskip("fast_tsp")


def shortest(points):
    """Length of the optimal tour: an integer programme, subtours forbidden as they turn up."""
    n = len(points)
    a, b = np.triu_indices(n, 1)
    length = np.linalg.norm(points[a] - points[b], axis=1)
    column = np.arange(len(a))
    ends = csr_matrix(
        (np.ones(2 * len(a)), (np.concatenate([a, b]), np.concatenate([column, column])))
    )
    rules = [LinearConstraint(ends, 2, 2)]
    while True:
        found = milp(length, constraints=rules, integrality=np.ones(len(a)), bounds=Bounds(0, 1))
        chosen = found.x > 0.5
        graph = csr_matrix((np.ones(chosen.sum()), (a[chosen], b[chosen])), shape=(n, n))
        parts, part = connected_components(graph, directed=False)
        if parts == 1:
            return found.fun
        for p in range(parts):
            leaves = ((part[a] == p) != (part[b] == p)).astype(float)
            rules.append(LinearConstraint(csr_matrix(leaves), 2, np.inf))


@pytest.mark.parametrize("n", [5, 12, 21, 30, 40])
def test_tours_are_optimal(n):
    points = np.random.default_rng(n).random((n, 2))
    order = tour(points)
    assert sorted(order) == list(range(n))
    along = points[order]
    length = np.linalg.norm(along - np.roll(along, -1, axis=0), axis=1).sum()
    assert length == pytest.approx(shortest(points), rel=1e-4)  # the solver rounds distances


@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_points_are_visited_in_order(n):
    assert tour(np.random.default_rng(0).random((n, 2))).tolist() == list(range(n))


def test_a_tour_is_the_same_however_often_and_with_whom_it_is_found():
    rng = np.random.default_rng(1)
    points = [rng.random((n, 2)) for n in (50, 60, 70, 80)]
    first = [tour(p) for p in points]
    for workers in (1, 2):
        again = tours(points, workers)
        assert all(map(np.array_equal, first, again))
    for order in first:
        assert order[0] == 0
        assert order[1] < order[-1]


def test_an_interruption_waits_for_no_search(monkeypatch):
    over, begun = threading.Event(), threading.Event()

    def search(distance, order, seconds):
        begun.set()
        over.wait(30)
        return order

    def interrupt():
        begun.wait(10)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(tours_module, "_search", search)
    threading.Thread(target=interrupt).start()
    points = [np.random.default_rng(0).random((9, 2))] * 100
    before = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tours(points, workers=2)
    assert time.monotonic() - before < 4
    over.set()


def test_an_interruption_while_threads_begin_is_told_as_one(monkeypatch):
    def start(thread):
        raise KeyboardInterrupt

    monkeypatch.setattr(tours_module.threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        tours([np.random.default_rng(0).random((9, 2))] * 3, workers=2)


def test_no_search_begins_after_an_interruption(monkeypatch):
    stop, begun = threading.Event(), []

    def search(distance, order, seconds):
        begun.append(seconds)
        stop.set()
        return order

    monkeypatch.setattr(tours_module, "_search", search)
    with pytest.raises(CancelledError):
        tour(np.random.default_rng(0).random((9, 2)), stop)
    assert len(begun) == 1


def test_what_fails_in_a_thread_is_raised(monkeypatch):
    monkeypatch.setattr(tours_module, "_search", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tours([np.random.default_rng(0).random((9, 2))] * 3, workers=2)


def test_progress_is_told_tour_by_tour():
    told = []
    points = [np.random.default_rng(0).random((3, 2))] * 5
    tours(points, workers=2, progress=lambda done, total: told.append((done, total)))
    assert told == [(n + 1, 5) for n in range(5)]
