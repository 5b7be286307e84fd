"""Graph and node property prediction sets of the Open Graph Benchmark."""

import csv
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from argnp.data.benchmarks.download import fetch, have
from argnp.data.benchmarks.guard import guarded
from argnp.data.dataset import Dataset, Split
from argnp.data.ingest_pyg import from_pyg
from argnp.errors import UserError

_FAMILIES: Final = {"ogbg": "graphproppred", "ogbn": "nodeproppred"}
_METRICS: Final = {"rocauc": "roc_auc", "ap": "average_precision", "acc": "accuracy"}
_SPLITS: Final[dict[Split, str]] = {"train": "train", "val": "valid", "test": "test"}


def load_ogb(name: str, root: Path, **options: Any) -> Dataset:
    """``ogb:ogbg-molhiv``, in ``root/ogbg_molhiv``, with ogb's own split."""
    own = name.partition(":")[2]
    facts = _facts(name, own)
    folder = own.replace("-", "_")
    home = next((h for h in (root / f"{folder}_pyg", root / folder) if h.is_dir()), root / folder)
    kind = _loader(own)
    _prepare(name, home, facts, kind)
    with guarded(home, name):
        dataset = kind(name=own, root=str(root))
        split = dataset.get_idx_split()
        graphs = [dataset[i] for i in range(len(dataset))]
    splits = {ours: np.asarray(split[theirs]) for ours, theirs in _SPLITS.items()}
    level = "graph" if own.startswith("ogbg") else "node"
    if "regression" in facts["task type"]:
        options = {"task": f"{level}-regression", **options}
    elif int(facts["num tasks"]) == 1:
        options = {"task": f"{level}-classification", **options}
    metric = _METRICS.get(facts["eval metric"], facts["eval metric"])
    options = {"metric": metric, **options}
    return from_pyg(
        graphs,
        name=name,
        splits=splits,
        by_row=level == "node",
        notes=[f"{name}: files in {home}, ogb's {facts['split']} split"],
        **options,
    )


def _facts(name: str, own: str) -> dict[str, str]:
    """What ogb's own table says of the set."""
    family = own.partition("-")[0]
    if family not in _FAMILIES:
        raise UserError(f"{name}: only ogbg- and ogbn- sets are read, as in ogb:ogbg-molhiv")
    try:
        table = resources.files(f"ogb.{_FAMILIES[family]}") / "master.csv"
    except ImportError:
        raise UserError(f"{name}: needs ogb; pip install 'argnp[ogb]'") from None
    rows = list(csv.reader(table.read_text().splitlines()))
    if own not in rows[0]:
        raise UserError(f"{name}: there is no such set; choose {', '.join(rows[0][1:])}")
    column = rows[0].index(own)
    facts = {row[0]: row[column] for row in rows[1:]}
    if facts.get("is hetero") == "True" or facts["task type"] == "subtoken prediction":
        what = "several kinds of nodes" if facts.get("is hetero") == "True" else "words as targets"
        raise UserError(f"{name} has {what}, which is beyond argnp; choose another set")
    return facts


def _loader(own: str) -> Any:
    if own.startswith("ogbg"):
        from ogb.graphproppred import PygGraphPropPredDataset

        return PygGraphPropPredDataset
    from ogb.nodeproppred import PygNodePropPredDataset

    return PygNodePropPredDataset


def _prepare(name: str, home: Path, facts: dict[str, str], kind: Any) -> None:
    """The raw or processed files, and the release note without which ogb asks questions."""
    release = f"RELEASE_v{facts['version']}.txt"
    raw = ["data.npz"] if facts["binary"] == "True" else ["edge.csv.gz"]
    there = have(home / "processed", ["geometric_data_processed.pt"]) or have(home / "raw", raw)
    if there and not (home / release).is_file():
        raise UserError(
            f"{name}: {home / release} is missing: the folder holds another release; "
            f"remove it, or put the one from {facts['url']} there"
        )
    if there:
        return
    asked = kind.__new__(kind)
    vars(asked).update(
        meta_info=facts,
        root=str(home),
        original_root=str(home.parent),
        download_name=facts["download_name"],
    )
    home.mkdir(parents=True, exist_ok=True)
    try:
        fetch(name, home / "raw", raw, facts["url"], asked.download)
    finally:
        if home.is_dir() and not any(home.iterdir()):
            home.rmdir()
