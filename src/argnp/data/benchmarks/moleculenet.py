"""MoleculeNet: properties of molecules."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from argnp.data.benchmarks.guard import guarded
from argnp.data.benchmarks.pyg_files import ready
from argnp.data.dataset import Dataset
from argnp.data.ingest_pyg import from_pyg
from argnp.errors import UserError

_RARE = ("pcba", "muv")  # so few positives that the usual metric is average precision


def load_moleculenet(name: str, root: Path, *, seed: int = 0, **options: Any) -> Dataset:
    """``moleculenet:ESOL``, in ``root/esol``. PyG's nine atom and three bond categories."""
    from torch_geometric.datasets import MoleculeNet

    own = name.partition(":")[2].lower()
    if own not in MoleculeNet.names:
        listed = ", ".join(MoleculeNet.names)
        raise UserError(f"{name}: there is no such set; choose {listed}")
    try:
        import rdkit  # noqa: F401
    except ImportError:
        raise UserError(f"{name}: RDKit reads molecules; pip install 'argnp[chem]'") from None
    address = MoleculeNet.url.format(MoleculeNet.names[own][1])
    kind = ready(name, MoleculeNet, root, address, {"name": own})
    with guarded(root / own, name):
        dataset = kind(str(root), own)
        y = dataset._data.y
    options = {"metric": _metric(own, y), **options}
    notes = [f"{name}: files in {root / own}"]
    return from_pyg(dataset, name=name, notes=notes, seed=seed, **options)


def _metric(own: str, y: torch.Tensor) -> str:
    values = set(np.unique(y[~torch.isnan(y)].numpy()).tolist())
    if not values <= {0.0, 1.0}:
        return "rmse"
    return "average_precision" if own in _RARE else "roc_auc"
