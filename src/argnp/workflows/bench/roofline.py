"""``argnp bench roofline``: how near the fused kernels come to what the machine allows."""

import random
import time
from collections.abc import Callable
from statistics import median

import torch

from argnp.arch import sample
from argnp.errors import UserError
from argnp.kernels import fused_abi as abi
from argnp.kernels.fused import unavailable
from argnp.nets.cores import choose
from argnp.workflows.bench.clock import few, interleaved
from argnp.workflows.bench.counts import count
from argnp.workflows.bench.workload import last_supernet, workload
from argnp.workflows.outcome import Outcome, table

_STEPS = 2
_TIMES = 4000  # products in cache: some hundredths of a second
_NUMBERS = 1 << 26  # of the buffer that is copied: far larger than any cache


def roofline_command(sizes: list[int], rounds: int, batch_size: int) -> Outcome:
    """Steps beside the time that their arithmetic, and their traffic, would take by itself.

    The arithmetic at the rate that the micro-kernels reach on matrices in the nearest cache, the
    traffic at that of copying a large buffer.
    """
    missing = unavailable()
    if missing is not None:
        raise UserError(f"argnp bench roofline: {missing}; it measures the fused kernels alone")
    bench = workload("molecules", 2 * _STEPS, batch_size)
    core, quantum = choose("fused").core, int(abi.library().argnp_quantum())
    peak, bandwidth = _peak(), _bandwidth()
    steps: dict[tuple[str, int], Callable[[], object]] = {}
    needs = {}
    for size in sizes:
        supernet, network = last_supernet(size), sample(size, random.Random(size))
        search, train = bench.search(supernet, core), bench.train(network, core)
        steps["search", size] = few(search.few_steps, _STEPS)
        steps["train", size] = few(train.few_steps, _STEPS)
        needs["search", size] = count(supernet, bench, search=True, quantum=quantum)
        needs["train", size] = count(network, bench, search=False, quantum=quantum)
    seconds = interleaved(steps, rounds)
    rows, values = [], []
    for (kind, size), need in needs.items():
        took = seconds[kind, size] / _STEPS
        arithmetic, traffic = need.flops / peak, need.bytes / bandwidth
        rows.append(
            [
                f"{kind} {size}",
                f"{1e3 * took:.1f}",
                f"{need.flops / 1e9:.1f}",
                f"{1e3 * arithmetic:.1f}",
                f"{need.bytes / 1e6:.0f}",
                f"{1e3 * traffic:.1f}",
                f"{arithmetic / took:.2f}",
            ]
        )
        values.append(
            {
                "step": kind,
                "size": size,
                "ms": 1e3 * took,
                "flops": need.flops,
                "arithmetic_ms": 1e3 * arithmetic,
                "bytes": need.bytes,
                "traffic_ms": 1e3 * traffic,
            }
        )
    head = ["step", "ms", "GFLOP", "alone ms", "MB", "alone ms", "share of peak"]
    told = (
        f"micro-kernels in cache: {peak / 1e9:.0f} GFLOP/s; copying: {bandwidth / 1e9:.1f} GB/s; "
        f"{torch.get_num_threads()} threads"
    )
    about = {"peak_gflops": peak / 1e9, "bandwidth_gbs": bandwidth / 1e9}
    return Outcome(f"{table(head, rows)}\n{told}", {**about, "steps": values})


def _peak() -> float:
    """Operations a second of small products in the nearest cache, on all threads."""
    rates = []
    for _ in range(7):
        began = time.perf_counter()
        done = abi.multiply_in_cache(torch.get_num_threads(), _TIMES)
        rates.append(done / (time.perf_counter() - began))
    return median(rates[1:])


def _bandwidth() -> float:
    """Bytes a second, read and written, of copying a buffer on all threads."""
    source, target = torch.ones(_NUMBERS), torch.empty(_NUMBERS)
    rates = []
    for _ in range(7):
        began = time.perf_counter()
        target.copy_(source)
        rates.append(2.0 * source.nbytes / (time.perf_counter() - began))
    return median(rates[1:])
