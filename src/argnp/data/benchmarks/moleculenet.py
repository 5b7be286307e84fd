"""MoleculeNet: properties of molecules."""

from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from argnp.data.benchmarks.guard import guarded
from argnp.data.benchmarks.pyg_files import ready
from argnp.data.dataset import Dataset
from argnp.data.ingest_pyg import from_pyg
from argnp.data.molecules.cache import convert_cached
from argnp.data.molecules.featurizer import featurizer_called
from argnp.data.splits import split_grouped
from argnp.errors import UserError

_SPLITS: Final = ("random", "stratified", "scaffold")
_RARE = ("pcba", "muv")  # so few positives that the usual metric is average precision


def load_moleculenet(name: str, root: Path, *, seed: int = 0, **options: Any) -> Dataset:
    """``moleculenet:ESOL``, in ``root/esol``. PyG's nine atom and three bond categories.

    ``split``: random, stratified, or scaffold, which is that of a table of the same molecules.
    """
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
    split = options.get("split", "random")
    if split not in _SPLITS:
        raise UserError(f"--split {split}: {name} has {', '.join(_SPLITS)}")
    if split == "scaffold":
        del options["split"]
        groups = _scaffolds(name, dataset, root / own, options.get("cache"))
        known = np.flatnonzero(~torch.isnan(y).all(dim=1).numpy() & (groups >= 0))
        sizes = options.pop("split_sizes", (0.8, 0.1, 0.1))
        options["splits"] = split_grouped(known, groups[known], sizes, seed)
        notes.append(f"scaffold split, seed {seed}")
    return from_pyg(dataset, name=name, notes=notes, seed=seed, **options)


def _scaffolds(name: str, dataset: Any, home: Path, cache: Path | None) -> NDArray[np.int64]:
    """(G,) number of the molecule's scaffold, in order of appearance; -1 where RDKit has none."""
    smiles = getattr(dataset._data, "smiles", None)
    if not isinstance(smiles, list) or len(smiles) != len(dataset):
        raise UserError(
            f"{name}: the file in {home / 'processed'} holds no SMILES to tell scaffolds by; "
            "remove that folder, and it is made anew"
        )
    found = convert_cached(smiles, featurizer_called("rich"), scaffolds=True, folder=cache)
    _, first, inverse = np.unique(found.scaffolds, return_index=True, return_inverse=True)
    groups = np.full(len(smiles), -1, dtype=np.int64)
    groups[found.places] = np.argsort(np.argsort(first))[inverse]
    return groups


def _metric(own: str, y: torch.Tensor) -> str:
    values = set(np.unique(y[~torch.isnan(y)].numpy()).tolist())
    if not values <= {0.0, 1.0}:
        return "rmse"
    return "average_precision" if own in _RARE else "roc_auc"
