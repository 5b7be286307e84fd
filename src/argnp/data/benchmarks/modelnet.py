"""ModelNet: tell CAD models apart by points on their surface."""

from pathlib import Path
from typing import Any

import numpy as np

from argnp.data.benchmarks.modelnet_points import MeshFile, sampled
from argnp.data.benchmarks.pyg_files import get
from argnp.data.dataset import Dataset
from argnp.data.generators.generated import NAMES
from argnp.data.molecules.convert import Progress
from argnp.data.pointclouds import Clouds
from argnp.data.pointclouds_ingest import cloud_options, ingest_clouds
from argnp.data.splits import split_stratified
from argnp.errors import UserError

POINTS = 1024
_SETS = ("train", "test")


def load_modelnet(
    name: str,
    root: Path,
    *,
    seed: int = 0,
    points: int = POINTS,
    progress: Progress | None = None,
    **options: Any,
) -> Dataset:
    """``modelnet10`` or ``modelnet40``: ``raw/CLASS/{train,test}/*.off`` as PyG lays them out.

    They may be in ``root``, in ``root/ModelNet10``, or there without ``raw``, as unzipped. A
    tenth of the training set, of every class, seeded, validates.
    """
    home = _home(name, root) or _download(name, root)
    files = [
        MeshFile(file, file.parts[-3], file.parts[-2] == "train")
        for kind in _SETS
        for file in sorted(home.glob(f"*/{kind}/*.off"))
    ]
    labels = tuple(sorted({file.label for file in files}))
    y = np.array([labels.index(file.label) for file in files], dtype=np.int64)
    most = int(name.removeprefix("modelnet"))
    if len(labels) > most:
        raise UserError(
            f"{name}: {home} holds {len(labels)} classes, more than {most}; "
            f"give a --root with {'the 10, or say modelnet40' if most == 10 else 'the 40'}"
        )
    train = np.array([file.train for file in files])
    if train.all() or not train.any():
        raise UserError(f"{name}: {home} must hold CLASS/train/*.off and CLASS/test/*.off")
    clouds = Clouds(sampled(files, points, seed, home, progress), y, labels)
    parts = split_stratified(np.flatnonzero(train), y[train], (0.9, 0.1, 0), seed)
    return ingest_clouds(
        clouds,
        name=name,
        splits=dict(
            zip(NAMES, (parts["train"], parts["val"], np.flatnonzero(~train)), strict=True)
        ),
        notes=[
            f"{name}: meshes in {home}, {points} points each; a tenth of the training set, "
            f"stratified, seed {seed}, validates"
        ],
        **cloud_options(options),
    )


def _home(name: str, root: Path) -> Path | None:
    """The folder of the classes."""
    proper = f"ModelNet{name.removeprefix('modelnet')}"
    for home in (root / proper / "raw", root / proper, root / "raw", root):
        if any(home.glob("*/train/*.off")):
            return home
    return None


def _download(name: str, root: Path) -> Path:
    from torch_geometric.datasets import ModelNet

    size = name.removeprefix("modelnet")
    home = root / f"ModelNet{size}"
    get(name, ModelNet, home, ModelNet.urls[size], {"name": size}, ["bathtub"])
    return home / "raw"
