"""ZINC: regress the constrained solubility of molecules."""

from pathlib import Path
from typing import Any, Final

from argnp.data.benchmarks.guard import guarded
from argnp.data.benchmarks.pyg_files import home_of, ready
from argnp.data.dataset import Dataset
from argnp.data.ingest_pyg import from_pyg

_PICKLES: Final = ("train.pickle", "val.pickle", "test.pickle")
_INDICES: Final = ("train.index", "val.index", "test.index")


def load_zinc(name: str, root: Path, **options: Any) -> Dataset:
    """``zinc`` (12,000 molecules) or ``zinc-full`` (250,000), in ``root`` or ``root/ZINC``."""
    from torch_geometric.datasets import ZINC

    subset = name == "zinc"
    # PyG asks for the indices of the subset even where it reads all of the molecules.
    needed = _PICKLES + (_INDICES if subset else ())
    kind: Any = type("ZINC", (ZINC,), {"raw_file_names": list(needed)})
    home = home_of(kind, root, ["ZINC", "zinc"], {"subset": subset})
    kind = ready(name, kind, home, ZINC.url.split("?")[0], {"subset": subset})
    with guarded(home, name):
        parts = tuple(kind(str(home), subset=subset, split=s) for s in ("train", "val", "test"))
    options = {"task": "graph-regression", "metric": "mae", **options}
    return from_pyg(parts, name=name, notes=[f"{name}: files in {home}"], **options)
