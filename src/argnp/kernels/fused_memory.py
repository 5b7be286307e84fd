"""Memory that one vertex leaves to the next.

What forward keeps for backward is tens of megabytes a vertex. Fresh from the system, every page
of it would first have to be mapped and cleared, which costs as much as writing it; so buffers go
back to a pool and are handed out again.
"""

from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Final

import torch
from torch import Tensor

from argnp.kernels import fused_abi as abi

FEW: Final = 16_000_000  # numbers


class Pool:
    """Buffers of float32 by size class.

    Idle buffers together with those in use stay within what was ever in use at once, or are few.
    Several threads may take and give. The garbage collector may give too, in the middle of
    anything, `take` included: so `give` waits for nobody, and leaves to the holder of the lock
    what it cannot do itself.
    """

    def __init__(self, prepare: Callable[[Tensor], None] = lambda buffer: None) -> None:
        self._prepare = prepare  # applied to fresh buffers
        self._lock = Lock()
        self._returned: deque[Tensor] = deque()  # and not yet among the idle
        self._idle: list[Tensor] = []  # oldest first
        self._idle_size = 0
        self._used = 0
        self._peak = 0

    def take(self, count: int) -> Tensor:
        """At least ``count`` numbers, at most an eighth more, undefined."""
        size = size_class(count)
        with self._lock:
            self._sort_in()
            buffer = self._reuse(size)
            if buffer is None:
                buffer = self._fresh(size)
            self._used += size
            self._peak = max(self._peak, self._used)
        return buffer

    @property
    def used(self) -> int:
        """Numbers handed out at present."""
        with self._lock:
            self._sort_in()
            return self._used

    def give(self, buffer: Tensor) -> None:
        """Takes a buffer back."""
        self._returned.append(buffer)
        if self._lock.acquire(blocking=False):
            try:
                self._sort_in()
            finally:
                self._lock.release()

    def _reuse(self, size: int) -> Tensor | None:
        for i in reversed(range(len(self._idle))):
            if self._idle[i].numel() == size:
                self._idle_size -= size
                return self._idle.pop(i)
        return None

    def _fresh(self, size: int) -> Tensor:
        with torch.inference_mode(False):  # it may serve a backward pass next
            buffer = torch.empty(size, dtype=torch.float32, device="cpu")
        self._prepare(buffer)
        return buffer

    def _sort_in(self) -> None:
        """Adds what was returned to the idle buffers, and lets go of those that are too many."""
        while self._returned:
            buffer = self._returned.popleft()
            self._used -= buffer.numel()
            self._idle.append(buffer)
            self._idle_size += buffer.numel()
        while self._idle_size > max(self._peak - self._used, FEW):
            self._idle_size -= self._idle.pop(0).numel()


def size_class(count: int) -> int:
    """``count`` rounded up to three binary digits after the first."""
    step = 1 << max(count.bit_length() - 4, 0)
    return max(1, -(-count // step) * step)


POOL: Final = Pool(abi.ask_for_huge_pages)


class Lease:
    """A buffer of the pool, given back when nobody holds the lease any more."""

    def __init__(self, count: int, pool: Pool = POOL) -> None:
        self._pool = pool
        self._buffer = pool.take(count)
        self._next = 0

    def tensor(self, *shape: int) -> Tensor:
        """The next piece of the buffer. To be used as long as the lease is held."""
        count = torch.Size(shape).numel()
        piece = self._buffer[self._next : self._next + count].view(shape)
        self._next += count
        return piece

    def __del__(self) -> None:
        self._pool.give(self._buffer)
