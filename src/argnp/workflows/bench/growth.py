"""``argnp bench memory`` and ``argnp bench scaling``: each measurement in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from argnp.workflows.outcome import Outcome, table

_ONE = """
import json, sys, time
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


def measure(size: int, *, whole: bool, batch: int, kernels: str, steps: int = 5) -> Point:
    """Seconds of a search step and peak bytes of its process; ``before``: without the supernet."""
    arguments = json.dumps([size, whole, batch, kernels, steps])
    done = subprocess.run(
        [sys.executable, "-c", _ONE, arguments], capture_output=True, text=True, check=True
    )
    return Point(size, whole, kernels, **json.loads(done.stdout.splitlines()[-1]))


def memory_command(sizes: Sequence[int], paths: Sequence[str], batch: int) -> Outcome:
    """Peak memory of a search step by kernels and size."""
    points = [
        measure(size, whole=False, batch=batch, kernels=path) for size in sizes for path in paths
    ]
    rows = [
        [f"search {p.size}, {p.kernels}", f"{p.bytes / 1e9:.2f}", f"{p.before / 1e9:.2f}"]
        for p in points
    ]
    return Outcome(
        table(["step", "peak GB", "before GB"], rows), {"steps": [asdict(p) for p in points]}
    )


def scaling_command(
    sizes: Sequence[int], whole_sizes: Sequence[int], batch: int, kernels: str
) -> Outcome:
    """Time and memory of a round's step against the size; the global supernet beside it.

    The exponents are slopes of a straight line through the logarithms: 1 is linear, 2 quadratic.
    """
    points = [
        measure(size, whole=whole, batch=batch, kernels=kernels)
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
    }
    head = ["size", "round ms", "round MB", "global ms", "global MB"]
    told = ", ".join(f"{name} {slope:.2f}" for name, slope in exponents.items())
    return Outcome(
        f"{table(head, lines)}\nexponents: {told}",
        {"steps": [asdict(p) for p in points], "exponents": exponents},
    )


def _slope(points: Sequence[Point], whole: bool, quantity: str) -> float:
    own = [p for p in points if p.whole is whole and p.size >= 4]
    heights = [p.seconds if quantity == "time" else p.own for p in own]
    return float(np.polyfit(np.log([p.size for p in own]), np.log(heights), 1)[0])
