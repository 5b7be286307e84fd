"""How the search grows with the size: rounds of proliferation against the global supernet.

``python benchmarks/growth.py [--sizes 2 4 8 16] [--batch-size 16] [--steps 3] [--out FILE]``

Every measurement is a process of its own, because peak memory belongs to a process. It takes a
few steps of the round that ends with the size: half of its vertices decided, or, in the global
supernet, none. Printed are milliseconds a step (one of the alphas, one of the weights), the
peak memory above that of the process before the supernet is built, and the exponents b of the
fits ``y = a size^b``.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

KINDS = ("proliferation", "global")
UNITS = ("ms", "mb")


def measure(kind: str, size: int, batch_size: int, steps: int, kernels: str) -> dict[str, float]:
    """Milliseconds of a step and megabytes at the peak, in this process."""
    from argnp.arch import Space, sample, undecided
    from argnp.arch.divide import divide
    from argnp.data.generators.make import generate
    from argnp.differentiate.round import Round
    from argnp.differentiate.settings import SearchSettings
    from argnp.nets.cores import choose
    from argnp.nets.widths import Widths
    from argnp.train.memory import peak_bytes, reset_peak
    from argnp.train.observer import Silent
    from argnp.train.seeds import python_random
    from argnp.train.settings import TrainSettings

    dataset = generate("cluster", (2 * batch_size, 1, 1), parameters={"largest": 14})
    if kind == "global" or size == 2:  # the first round is a global supernet too
        supernet = undecided(size, Space())
    else:
        supernet = divide(sample(size // 2, python_random(0)))
    core = choose(kernels).core
    reset_peak()
    before = peak_bytes()
    tried = Round(
        supernet,
        dataset,
        SearchSettings(batch_size=batch_size),
        TrainSettings(),
        Widths(),
        epochs=1,
        seed=0,
        core=core,
        scaling=None,
        observer=Silent(),
        labels={"search": 0, "round": 0},
    )
    tried.few_steps(1)
    times = []
    for _ in range(steps):
        began = perf_counter()
        tried.few_steps(1)
        times.append(1e3 * (perf_counter() - began))
    return {"ms": median(times), "mb": (peak_bytes() - before) / 1e6, "weights": tried.parameters}


def exponent(sizes: list[int], values: list[float]) -> float:
    """The slope of a line through the points in logarithms, by least squares."""
    x, y = [math.log(size) for size in sizes], [math.log(value) for value in values]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return over / sum((a - mean_x) ** 2 for a in x)


def in_a_process(kind: str, size: int, arguments: argparse.Namespace) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", kind, "--sizes", str(size)]
    for name in ("batch_size", "steps", "kernels"):
        command += [f"--{name.replace('_', '-')}", str(getattr(arguments, name))]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="the growth of the search with the size")
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 4, 8, 16])
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--kernels", default="auto")
    parser.add_argument("--out", type=Path, help="JSON file for the numbers")
    parser.add_argument("--one", choices=KINDS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    steps, batch_size, kernels = arguments.steps, arguments.batch_size, arguments.kernels
    if arguments.one:
        print(json.dumps(measure(arguments.one, arguments.sizes[0], batch_size, steps, kernels)))
        return
    curves = {
        kind: [in_a_process(kind, size, arguments) for size in arguments.sizes] for kind in KINDS
    }
    print(f"{'size':>6}" + "".join(f"{f'{kind}, {unit}':>20}" for kind in KINDS for unit in UNITS))
    for row, size in enumerate(arguments.sizes):
        cells = [curves[kind][row][unit] for kind in KINDS for unit in UNITS]
        print(f"{size:>6}" + "".join(f"{cell:>20.1f}" for cell in cells))
    exponents = {
        kind: {unit: exponent(arguments.sizes, [p[unit] for p in curves[kind]]) for unit in UNITS}
        for kind in KINDS
    }
    cells = [exponents[kind][unit] for kind in KINDS for unit in UNITS]
    print(f"{'~ n^':>6}" + "".join(f"{cell:>20.2f}" for cell in cells))
    if arguments.out:
        found = {
            "sizes": arguments.sizes,
            "batch_size": batch_size,
            "curves": curves,
            "exponents": exponents,
        }
        arguments.out.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
