"""``argnp bench memory`` and ``argnp bench scaling``: each measurement in a process of its own."""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from argnp.errors import UserError
from argnp.workflows.outcome import Outcome, table

_FIRST = 4
_ONE = """
import json, sys, time
from argnp.allocator import keep_freed_memory
keep_freed_memory()  # as every command does
from argnp.arch import undecided
from argnp.nets.cores import choose
from argnp.train.memory import peak_bytes, reset_peak
from argnp.workflows.bench.workload import Bench, last_supernet, molecules
from statistics import median
size, whole, batch, kernels, steps = json.loads(sys.argv[1])
bench = Bench(molecules(4 * batch), batch)
supernet = undecided(size) if whole else last_supernet(size)
before = peak_bytes()
round_ = bench.search(supernet, choose(kernels).core)
round_.few_steps(1)
times = []
for _ in range(steps):
    began = time.perf_counter()
    round_.few_steps(1)
    times.append(time.perf_counter() - began)
print(json.dumps({"seconds": median(times), "bytes": peak_bytes(), "before": before}))
"""


@dataclass(frozen=True)
class Point:
    """One measurement."""

    size: int
    whole: bool
    kernels: str
    seconds: float
    bytes: float
    before: float

    @property
    def own(self) -> float:
        """What the supernet adds to the process."""
        return self.bytes - self.before


def measure(size: int, *, whole: bool, batch: int, kernels: str, steps: int) -> Point:
    """Seconds of a search step and peak bytes of its process; ``before``: without the supernet."""
    arguments = json.dumps([size, whole, batch, kernels, steps])
    done = subprocess.run(
        [sys.executable, "-c", _ONE, arguments], capture_output=True, text=True, check=False
    )
    if done.returncode == -signal.SIGKILL:
        raise UserError(
            f"{'global supernet' if whole else 'round'} of size {size}, {kernels}: ended by the "
            f"system, most likely for want of memory; take a --batch-size below {batch} or "
            "smaller --sizes"
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return Point(size, whole, kernels, **json.loads(done.stdout.splitlines()[-1]))


def memory_command(
    sizes: Sequence[int], paths: Sequence[str], batch: int, steps: int = 5
) -> Outcome:
    """Peak memory of a search step by kernels and size."""
    points = [
        measure(size, whole=False, batch=batch, kernels=path, steps=steps)
        for size in sizes
        for path in paths
    ]
    rows = [
        [f"search {p.size}, {p.kernels}", f"{p.bytes / 1e9:.2f}", f"{p.before / 1e9:.2f}"]
        for p in points
    ]
    return Outcome(
        table(["step", "peak GB", "before GB"], rows), {"steps": [asdict(p) for p in points]}
    )


def scaling_command(
    sizes: Sequence[int], whole_sizes: Sequence[int], batch: int, kernels: str, steps: int = 5
) -> Outcome:
    """Time and memory of a round's step against the size; the global supernet beside it.

    The exponents are slopes of a straight line through the logarithms: 1 is linear, 2 quadratic.
    """
    points = [
        measure(size, whole=whole, batch=batch, kernels=kernels, steps=steps)
        for whole, which in ((False, sizes), (True, whole_sizes))
        for size in which
    ]
    lines = []
    for size in sorted({*sizes, *whole_sizes}):
        cells = [str(size)]
        for whole in (False, True):
            here = [p for p in points if p.size == size and p.whole is whole]
            cells += [f"{1e3 * p.seconds:.0f}" for p in here] or [""]
            cells += [f"{p.own / 1e6:.0f}" for p in here] or [""]
        lines.append(cells)
    exponents = {
        f"{'global' if whole else 'proliferation'} {quantity}": _slope(points, whole, quantity)
        for whole in (False, True)
        for quantity in ("time", "memory")
        if len(_fitted(points, whole)) > 1
    }
    head = ["size", "round ms", "round MB", "global ms", "global MB"]
    told = ", ".join(f"{name} {slope:.2f}" for name, slope in exponents.items())
    return Outcome(
        f"{table(head, lines)}\nexponents from size {_FIRST} on: {told or 'too few sizes'}",
        {"steps": [asdict(p) for p in points], "exponents": exponents},
    )


def _fitted(points: Sequence[Point], whole: bool) -> list[Point]:
    """What the line goes through: below `_FIRST` the network's ends weigh as much as its body."""
    return [p for p in points if p.whole is whole and p.size >= _FIRST]


def _slope(points: Sequence[Point], whole: bool, quantity: str) -> float:
    own = _fitted(points, whole)
    heights = [p.seconds if quantity == "time" else p.own for p in own]
    return float(np.polyfit(np.log([p.size for p in own]), np.log(heights), 1)[0])
