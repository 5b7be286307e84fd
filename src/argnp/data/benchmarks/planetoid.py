"""Citation networks: one graph, classes of its nodes, public masks."""

from pathlib import Path
from typing import Any, Final

from argnp.data.benchmarks.guard import guarded
from argnp.data.benchmarks.pyg_files import ready
from argnp.data.dataset import Dataset
from argnp.data.ingest_pyg import from_pyg
from argnp.errors import UserError

_NAMES: Final = {"cora": "Cora", "citeseer": "CiteSeer", "pubmed": "PubMed"}


def load_planetoid(name: str, root: Path, **options: Any) -> Dataset:
    """``planetoid:Cora``, in ``root/Cora``."""
    from torch_geometric.datasets import Planetoid

    own = name.partition(":")[2]
    if own.lower() not in _NAMES:
        raise UserError(f"{name}: there is no such set; choose {', '.join(_NAMES.values())}")
    own = own if (root / own).is_dir() else _NAMES[own.lower()]
    kind = ready(name, Planetoid, root, Planetoid.url, {"name": own, "split": "public"})
    with guarded(root / own, name):
        dataset = kind(str(root), own)
        graph = dataset[0]
    options = {"task": "node-classification", "metric": "accuracy", **options}
    return from_pyg(graph, name=name, notes=[f"{name}: files in {root / own}"], **options)
