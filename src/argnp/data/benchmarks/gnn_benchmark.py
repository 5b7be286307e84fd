"""CLUSTER, PATTERN, TSP, CIFAR10 and MNIST of the benchmarking-GNNs collection."""

from pathlib import Path
from typing import Any, Final

import torch

from argnp.data.benchmarks.guard import guarded
from argnp.data.benchmarks.pyg_files import found, ready
from argnp.data.dataset import Dataset
from argnp.data.ingest_pyg import from_pyg

# Task and metric; the loaders' labels alone do not tell.
GNN_BENCHMARKS: Final = {
    "cluster": ("node-classification", "balanced_accuracy"),
    "pattern": ("node-classification", "balanced_accuracy"),
    "tsp": ("edge-classification", "f1"),
    "cifar10": ("graph-classification", "accuracy"),
    "mnist": ("graph-classification", "accuracy"),
}


def here(name: str, root: Path) -> bool:
    """Whether the benchmark's files are under ``root``."""
    from torch_geometric.datasets import GNNBenchmarkDataset

    return found(GNNBenchmarkDataset, root, {"name": name.upper()})


def load_gnn_benchmark(name: str, root: Path, **options: Any) -> Dataset:
    """One of ``GNN_BENCHMARKS``, in ``root/NAME``."""
    from torch_geometric.datasets import GNNBenchmarkDataset

    upper, home = name.upper(), root / name.upper()
    address = GNNBenchmarkDataset.urls[upper]
    kind = ready(name, GNNBenchmarkDataset, root, address, {"name": upper})
    with guarded(home, name):
        parts = tuple(kind(str(root), upper, split=s) for s in ("train", "val", "test"))
        for part in parts:
            _as_codes(part)
    task, metric = GNN_BENCHMARKS[name]
    options = {"task": task, "metric": metric, **options}
    return from_pyg(parts, name=name, notes=[f"{name}: files in {home}"], **options)


def _as_codes(part: Any) -> None:
    """One-hot node features become the code they stand for."""
    x = part._data.x
    several = x.ndim == 2 and x.shape[1] > 1
    if several and bool(((x == 0) | (x == 1)).all() and (x.sum(dim=1) == 1).all()):
        part._data.x = torch.argmax(x, dim=1, keepdim=True)
