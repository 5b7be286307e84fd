"""``argnp bench speed``: a step of the search and of the training, by kernels and size."""

import random
from collections.abc import Callable
from typing import Any

import torch

from argnp.arch import Architecture, sample
from argnp.kernels.flops import forward_flops, gather_flops, step_flops
from argnp.nets.compile import bank_rows, mixture_index, plan
from argnp.nets.cores import Kernels, choose
from argnp.workflows.bench.clock import interleaved, product
from argnp.workflows.bench.workload import Bench, last_supernet, workload
from argnp.workflows.outcome import Outcome, table

_STEPS = 2  # timed together, so that two batches alternate


def speed_command(
    name: str, sizes: list[int], paths: list[str], rounds: int, batch_size: int | None = None
) -> Outcome:
    """Milliseconds of a step, speed against the reference, useful arithmetic against torch.mm."""
    bench = workload(name, 2 * _STEPS, batch_size)
    cores = {path: choose(named(path)).core for path in paths}
    steps: dict[tuple[str, int, str], Callable[[], object]] = {}
    flops: dict[tuple[str, int], int] = {}
    for size in sizes:
        supernet, network = last_supernet(size), sample(size, random.Random(size))
        flops["search", size] = _step(supernet, bench, search=True)
        flops["train", size] = _step(network, bench, search=False)
        for path, core in cores.items():
            searching, training = bench.search(supernet, core), bench.train(network, core)
            steps["search", size, path] = _few(searching.few_steps)
            steps["train", size, path] = _few(training.few_steps)
    multiply, operations = product()
    every: dict[Any, Callable[[], object]] = {"mm": multiply, **steps}
    seconds = interleaved(every, rounds)
    peak = operations / seconds["mm"]
    rows, values = [], []
    for kind, size, path in steps:
        took = seconds[kind, size, path] / _STEPS
        slow = seconds.get((kind, size, "reference"))
        ratio = slow / seconds[kind, size, path] if slow else None
        useful = flops[kind, size] / took / peak
        rows.append(
            [
                f"{kind} {size}, {path}",
                f"{1e3 * took:.1f}",
                f"{ratio:.2f}" if ratio else "",
                f"{useful:.2f}",
            ]
        )
        values.append(
            {
                "step": kind,
                "size": size,
                "kernels": path,
                "ms": 1e3 * took,
                "against_reference": ratio,
                "useful_share_of_mm": useful,
            }
        )
    head = ["step", "ms", "x reference", "useful / torch.mm"]
    threads = torch.get_num_threads()
    text = (
        f"{name}, batches of {bench.batch_size} graphs\n{table(head, rows)}\n"
        f"torch.mm 2048: {peak / 1e9:.0f} GFLOP/s, {threads} threads"
    )
    about = {"workload": name, "mm_gflops": peak / 1e9, "threads": threads}
    return Outcome(text, {**about, "steps": values})


def _few(steps: Callable[[int], object]) -> Callable[[], object]:
    return lambda: steps(_STEPS)


def named(path: str) -> Kernels:
    """The path, as a type checker wants it."""
    names: dict[str, Kernels] = {"reference": "reference", "torch": "torch", "fused": "fused"}
    return names[path]


def _step(architecture: Architecture, bench: Bench, *, search: bool) -> int:
    """Operations that a step of this architecture needs on an average batch."""
    nodes, relations = (sizes.mean() * bench.batch_size for sizes in bench.dataset.source.sizes())
    forward = 0
    for vertex in range(1, len(architecture) + 1):
        terms = {
            name: plan(
                architecture,
                name,
                vertex,
                bank_rows(architecture, name, vertex),
                mixture_index(architecture, name),
            ).terms
            for name in architecture.space.names
        }
        forward += forward_flops(
            terms["node"],
            terms["relation"],
            nodes=round(nodes),
            relations=round(relations),
            node_dim=bench.widths.node,
            edge_dim=bench.widths.edge,
        )
    streams, widths = len(architecture) + 1, bench.widths
    forward += gather_flops(round(nodes), streams, widths.node, widths.node_out)
    forward += gather_flops(round(relations), streams, widths.edge, widths.edge_out)
    alphas = step_flops(forward, weights=False) if search else 0
    return alphas + step_flops(forward, weights=True)
