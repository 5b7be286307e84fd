"""Graph and node property prediction sets of the Open Graph Benchmark."""

import csv
import sys
from importlib import resources
from pathlib import Path
from typing import Any, Final
from unittest import mock

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
    kind = _ready(name, own, home, facts)
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


def _ready(name: str, own: str, home: Path, facts: dict[str, str]) -> Any:
    """ogb's class, once the raw or processed files are there.

    The class returned does not download, and with the release note there it asks nothing: what
    ogb does in both cases begins with removing the folder.
    """
    kind, release = _loader(own), f"RELEASE_v{facts['version']}.txt"
    asked = _uninitialised(kind, home, facts)
    raw = [f"raw/{file}" for file in asked.raw_file_names]
    there = have(home, [f"processed/{asked.processed_file_names}"]) or have(home, raw)
    if _holds_files(home) and not (home / release).is_file():
        raise UserError(
            f"{name}: {home / release} is missing: the folder holds another release; "
            f"remove it, or put the one from {facts['url']} there"
        )
    if not there:

        def download(scratch: Path) -> Path:
            asked = _uninitialised(kind, scratch / "set", facts)
            Path(asked.root).mkdir()
            # Whoever names a set wants it: above 1 GB ogb asks on the terminal.
            with mock.patch.object(sys.modules[kind.__module__], "decide_download", _yes):
                asked.download()
            return Path(asked.root)

        fetch(name, home, [*raw, release], facts["url"], download)
    return type(kind.__name__, (kind,), {"_download": lambda self: None})


def _yes(address: str) -> bool:
    return True


def _holds_files(home: Path) -> bool:
    return any(path.is_file() for path in home.rglob("*"))


def _uninitialised(kind: Any, home: Path, facts: dict[str, str]) -> Any:
    """An instance that knows its paths and has read nothing."""
    asked = kind.__new__(kind)
    vars(asked).update(
        meta_info=facts,
        root=str(home),
        original_root=str(home.parent),
        download_name=facts["download_name"],
        binary=facts["binary"] == "True",
        is_hetero=facts.get("is hetero") == "True",
    )
    return asked
