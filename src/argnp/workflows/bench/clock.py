"""Times of several things, taken in turns, so that what slows the machine slows all of them."""

import gc
import time
from collections.abc import Callable, Hashable, Mapping
from statistics import median
from typing import TypeVar

import torch

Name = TypeVar("Name", bound=Hashable)


def interleaved(things: Mapping[Name, Callable[[], object]], rounds: int) -> dict[Name, float]:
    """Median seconds of each over rounds in which each is called once, after one uncounted."""
    seconds: dict[Name, list[float]] = {name: [] for name in things}
    gc.collect()
    for number in range(rounds + 1):
        for name, thing in things.items():
            began = time.perf_counter()
            thing()
            if number:
                seconds[name].append(time.perf_counter() - began)
    return {name: median(values) for name, values in seconds.items()}


def few(steps: Callable[[int], object], count: int) -> Callable[[], object]:
    """A thing to be timed: so many steps."""
    return lambda: steps(count)


def product(size: int = 2048) -> tuple[Callable[[], object], float]:
    """``torch.mm`` of two square float32 matrices, and the operations of one product."""
    a, b = torch.randn(size, size), torch.randn(size, size)
    return lambda: torch.mm(a, b), 2.0 * size**3
