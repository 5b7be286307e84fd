"""The pool of buffers: what is given back is handed out again, and idle memory has a bound."""

import pytest
import torch

from argnp.kernels import fused_memory
from argnp.kernels.fused_memory import Lease, Pool, size_class


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
