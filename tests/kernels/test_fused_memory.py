"""The pool of buffers: what is given back is handed out again, and idle memory has a bound."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from fused_cases import NODE, make_case, random_graphs, topology_of

from argnp.kernels import fused_memory
from argnp.kernels.fused import FusedCore, unavailable
from argnp.kernels.fused_memory import POOL, Lease, Pool, size_class


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 100, 1000, 123_457, 9_999_999])
def test_size_class_wastes_an_eighth_at_most(count: int) -> None:
    size = size_class(count)
    assert count <= size <= max(1, count * 9 / 8)
    assert size_class(size) == size


def test_buffers_come_back() -> None:
    pool = Pool()
    first = pool.take(1000)
    pool.give(first)
    assert pool.take(990) is first
    assert pool.take(990) is not first


def test_idle_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused_memory, "FEW", 0)
    pool = Pool()
    small = pool.take(1024)
    pool.give(small)
    large = pool.take(8192)  # the peak: the small one and this were never in use together
    pool.give(large)
    assert pool.take(8192) is large
    assert pool.take(1024) is not small


def test_lease_divides_its_buffer_and_gives_it_back() -> None:
    pool = Pool()
    lease = Lease(20, pool)
    one, two = lease.tensor(2, 4), lease.tensor(3, 4)
    one.fill_(1.0)
    two.fill_(2.0)
    assert one.sum() == 8
    assert pool.used == size_class(20)
    del lease
    assert pool.used == 0


def test_memory_of_an_evaluation_serves_a_backward_pass() -> None:
    pool = Pool()
    with torch.inference_mode():
        lease = Lease(8, pool)
        del lease
    piece = Lease(8, pool).tensor(8)
    assert not piece.is_inference()
    assert piece.copy_(torch.ones(8, requires_grad=True)).sum() == 8


def test_a_buffer_may_be_given_back_in_the_middle_of_taking_one() -> None:
    """As the garbage collector does: whoever holds the lock sorts it in."""
    returned: list[Callable[[], None]] = []
    pool = Pool(lambda buffer: returned.pop()() if returned else None)
    first = pool.take(100)
    returned.append(lambda: pool.give(first))
    pool.take(2000)
    assert pool.used == size_class(2000)
    assert pool.take(100) is first


def test_threads_never_hold_the_same_buffer() -> None:
    pool = Pool()

    def work(number: int) -> bool:
        same = True
        for turn in range(300):
            leases = [Lease(64 + 64 * (turn % 3), pool), Lease(64, pool)]
            mine = [lease.tensor(64).fill_(number) for lease in leases]
            same = same and all(bool((tensor == number).all()) for tensor in mine)
        return same

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(work, range(4)))
    assert pool.used == 0


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_forwards_and_backwards_in_two_threads() -> None:
    topology = topology_of(
        random_graphs(torch.Generator().manual_seed(0), 20, 9, 1.7), undirected=True
    )
    cases = [make_case("nodes", NODE, topology, (12, 6), seed=seed) for seed in range(2)]
    expected = [case.run(FusedCore(), torch.float32) for case in cases]

    def work(number: int) -> bool:
        found = [cases[number].run(FusedCore(), torch.float32) for _ in range(25)]
        return all(torch.equal(one[n], v) for one in found for n, v in expected[number].items())

    before = POOL.used
    with ThreadPoolExecutor(2) as threads:
        assert all(threads.map(work, range(2)))
    assert POOL.used == before
