"""Graph classification and regression sets of TU Dortmund."""

from pathlib import Path
from typing import Any

import torch

from argnp.data.benchmarks.guard import guarded
from argnp.data.benchmarks.pyg_files import ready
from argnp.data.dataset import Dataset
from argnp.data.ingest_pyg import from_pyg


def load_tu(name: str, root: Path, *, seed: int = 0, **options: Any) -> Dataset:
    """``tu:MUTAG``, in ``root/MUTAG``: with node and edge attributes, where there are any."""
    from torch_geometric.datasets import TUDataset

    own = name.partition(":")[2]
    address = f"{TUDataset.url}/{own}.zip"
    kind = ready(name, TUDataset, root, address, {"name": own, "cleaned": False})
    with guarded(root / own, name):
        dataset = kind(str(root), own, use_node_attr=True, use_edge_attr=True)
        labels = dataset._data.y
    if not torch.is_floating_point(labels):
        options = {"metric": "accuracy", "split": "stratified", **options}
    notes = [f"{name}: files in {root / own}"]
    return from_pyg(dataset, name=name, notes=notes, seed=seed, **options)
