"""How long a shuffled batch takes: the packed store against PyG's DataLoader.

Graphs of ZINC's size (about 23 nodes, 50 directed edges), one integer per node and per edge.
Epochs of the two are interleaved; medians are compared. Prints a table, writes JSON.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

from argnp.data.ingest_pyg import from_pyg
from argnp.data.loader import Loader


def molecules(count: int, seed: int = 0) -> list[Data]:
    """Random trees with a few rings, as many nodes and edges as ZINC has on average."""
    rng = np.random.default_rng(seed)
    graphs = []
    for _ in range(count):
        nodes = int(rng.integers(15, 32))
        parents = [int(rng.integers(max(0, i - 3), i)) for i in range(1, nodes)]
        ends = np.array([np.arange(1, nodes), parents])
        rings = np.array(
            [np.arange(0, nodes - 5, 6), np.arange(5, nodes, 6)[: -(-(nodes - 5) // 6)]]
        )
        pairs = np.concatenate([ends, rings], axis=1)
        kinds = rng.integers(0, 4, pairs.shape[1])
        graphs.append(
            Data(
                x=torch.from_numpy(rng.integers(0, 28, (nodes, 1))),
                edge_index=torch.from_numpy(np.concatenate([pairs, pairs[::-1]], axis=1)),
                edge_attr=torch.from_numpy(np.concatenate([kinds, kinds])),
                y=torch.tensor([float(rng.normal())]),
            )
        )
    return graphs


def per_batch(epoch: Callable[[], Iterable[Any]]) -> float:
    """Milliseconds a batch, over one epoch."""
    start = time.perf_counter()
    batches = sum(1 for _ in epoch())
    return (time.perf_counter() - start) * 1e3 / batches


def measure(count: int, batch_size: int, repeats: int) -> dict[str, float]:
    """Median milliseconds a batch of each, and their ratio."""
    graphs = molecules(count)
    dataset = from_pyg(graphs)
    loader = Loader(dataset.source, np.arange(count), batch_size, training=True)
    theirs = DataLoader(graphs, batch_size=batch_size, shuffle=True)
    times: dict[str, list[float]] = {"store": [], "pyg": []}
    for number in range(repeats):
        times["store"].append(per_batch(lambda number=number: loader.epoch(number)))
        times["pyg"].append(per_batch(lambda: theirs))
    store, pyg = (statistics.median(times[name]) for name in ("store", "pyg"))
    return {"store_ms": store, "pyg_ms": pyg, "ratio": pyg / store}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=4000)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", type=Path, default=Path("batches.json"))
    args = parser.parse_args()
    result = measure(args.graphs, args.batch_size, args.repeats)
    print(f"{'':22}ms a batch of {args.batch_size}")
    print(f"{'PyG DataLoader':22}{result['pyg_ms']:.3f}")
    print(f"{'packed store':22}{result['store_ms']:.3f}")
    print(f"{'times faster':22}{result['ratio']:.1f}")
    args.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
