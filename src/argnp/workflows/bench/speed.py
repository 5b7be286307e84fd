"""``argnp bench speed``: a step of the search and of the training, by kernels and size."""

import random
from collections.abc import Callable
from typing import Any

import torch

from argnp.arch import sample
from argnp.nets.cores import Kernels, choose
from argnp.workflows.bench.clock import few, interleaved, product
from argnp.workflows.bench.counts import count
from argnp.workflows.bench.plain import PlainSearch, PlainTraining
from argnp.workflows.bench.workload import last_supernet, workload
from argnp.workflows.outcome import Outcome, table

_STEPS = 2  # timed together, so that two batches alternate
_PLAIN = "plain"


def speed_command(
    name: str, sizes: list[int], paths: list[str], rounds: int, batch_size: int | None = None
) -> Outcome:
    """Milliseconds of a step, speed against slower ways, useful arithmetic against torch.mm.

    The reference shares with the fast paths what is not of the kernels: relations held once a
    pair, gradients of one level at a time, parameters in one buffer. Beside it stand its
    operations without all that, as ``plain``. And a ratio to what is slow says little: steps are
    told, too, in products of two matrices, as many as torch.mm does in that time, a number to
    hold against anyone's torch, from whatever machine.
    """
    bench = workload(name, 2 * _STEPS, batch_size)
    cores = {path: choose(named(path)).core for path in paths}
    steps: dict[tuple[str, int, str], Callable[[], object]] = {}
    flops: dict[tuple[str, int], int] = {}
    for size in sizes:
        supernet, network = last_supernet(size), sample(size, random.Random(size))
        flops["search", size] = count(supernet, bench, search=True).flops
        flops["train", size] = count(network, bench, search=False).flops
        if "reference" in cores:
            steps["search", size, _PLAIN] = few(PlainSearch(supernet, bench).few_steps, _STEPS)
            steps["train", size, _PLAIN] = few(PlainTraining(network, bench).few_steps, _STEPS)
        for path, core in cores.items():
            searching, training = bench.search(supernet, core), bench.train(network, core)
            steps["search", size, path] = few(searching.few_steps, _STEPS)
            steps["train", size, path] = few(training.few_steps, _STEPS)
    multiply, operations = product()
    every: dict[Any, Callable[[], object]] = {"mm": multiply, **steps}
    seconds = interleaved(every, rounds)
    peak = operations / seconds["mm"]
    rows: list[list[str]] = []
    values: list[dict[str, Any]] = []
    for kind, size, path in steps:
        took = seconds[kind, size, path] / _STEPS
        ratios = {
            slow: seconds[kind, size, slow] / seconds[kind, size, path]
            for slow in (_PLAIN, "reference")
            if (kind, size, slow) in seconds
        }
        useful = flops[kind, size] / took / peak
        rows.append(
            [
                f"{kind} {size}, {path}",
                f"{1e3 * took:.1f}",
                *(f"{ratio:.2f}" for ratio in ratios.values()),
                f"{useful:.2f}",
            ]
        )
        values.append(
            {
                "step": kind,
                "size": size,
                "kernels": path,
                "ms": 1e3 * took,
                **{f"against_{slow}": ratio for slow, ratio in ratios.items()},
                "useful_share_of_mm": useful,
                "products": took / seconds["mm"],
            }
        )
    against = [f"x {slow}" for slow in (_PLAIN, "reference")] if "reference" in cores else []
    head = ["step", "ms", *against, "useful / torch.mm"]
    threads, mm_ms = torch.get_num_threads(), 1e3 * seconds["mm"]
    text = (
        f"{name}, batches of {bench.batch_size} graphs\n{table(head, rows)}\n"
        f"torch.mm 2048: {peak / 1e9:.0f} GFLOP/s, {mm_ms:.1f} ms, {threads} threads"
    )
    told = [
        f"{value['step']} {value['size']}: {value['products']:.2f}"
        for value in values
        if value["kernels"] == _PLAIN
    ]
    if told:
        text += f"\nsteps of plain torch, in such products: {', '.join(told)}"
    about = {"workload": name, "mm_gflops": peak / 1e9, "mm_ms": mm_ms, "threads": threads}
    return Outcome(text, {**about, "steps": values})


def named(path: str) -> Kernels:
    """The path, as a type checker wants it."""
    names: dict[str, Kernels] = {"reference": "reference", "torch": "torch", "fused": "fused"}
    return names[path]
