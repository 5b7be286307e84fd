"""Images from a folder, by class and, if the folder says so, by split."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Split
from argnp.data.generators.generated import NAMES
from argnp.errors import UserError

_KINDS = {".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".webp"}


@dataclass(frozen=True)
class Images:
    """Pictures as (height, width) or (height, width, 3) uint8, and their classes."""

    pictures: list[NDArray[Any]]
    y: NDArray[np.int64]
    labels: tuple[str, ...]
    splits: dict[Split, NDArray[np.int64]] | None = None


def read_images(folder: Path, *, colour: bool) -> Images:
    """``CLASS/*.png``, ``train|val|test/CLASS/*.png``, or ``images.npy`` with ``labels.npy``."""
    if (folder / "images.npy").is_file():
        return _arrays(folder, colour=colour)
    if not folder.is_dir():
        raise UserError(f"superpixels: there is no folder {folder}; images=FOLDER holds the images")
    split_folders = [folder / name for name in NAMES]
    parts = split_folders if all(f.is_dir() for f in split_folders) else [folder]
    files = [(part, f) for part in range(len(parts)) for f in _pictures(parts[part])]
    if not files:
        raise UserError(
            f"superpixels: no images in {folder}; it must hold CLASS/*.png, or train, val and "
            "test folders of that form, or images.npy and labels.npy"
        )
    labels = tuple(sorted({f.parent.name for _, f in files}))
    pictures = [_open(f, colour=colour) for _, f in files]
    y = np.array([labels.index(f.parent.name) for _, f in files], dtype=np.int64)
    if len(parts) == 1:
        return Images(pictures, y, labels)
    of_part = np.array([part for part, _ in files])
    splits = {name: np.flatnonzero(of_part == i) for i, name in enumerate(NAMES)}
    return Images(pictures, y, labels, splits)


def _pictures(folder: Path) -> list[Path]:
    return sorted(f for f in folder.glob("*/*") if f.suffix.lower() in _KINDS)


def _open(file: Path, *, colour: bool) -> NDArray[Any]:
    try:
        from PIL import Image
    except ImportError:
        raise UserError("superpixels: Pillow reads images; pip install 'argnp[image]'") from None
    try:
        with Image.open(file) as image:
            return np.asarray(image.convert("RGB" if colour else "L"))
    except (OSError, ValueError) as wrong:
        raise UserError(f"{file} is no image that can be read ({wrong}); remove it") from None


def _arrays(folder: Path, *, colour: bool) -> Images:
    try:
        pictures = np.load(folder / "images.npy", allow_pickle=False)
        y = np.load(folder / "labels.npy", allow_pickle=False)
    except (OSError, ValueError, EOFError) as wrong:
        raise UserError(f"superpixels: {folder}: {wrong}; give images.npy and labels.npy") from None
    if pictures.ndim != (4 if colour else 3) or len(pictures) != len(y) or y.ndim != 1:
        raise UserError(
            f"superpixels: {folder / 'images.npy'} has shape {pictures.shape}, labels.npy "
            f"{y.shape}; give (images, height, width{', 3' if colour else ''}) and (images,)"
        )
    values, codes = np.unique(y, return_inverse=True)
    return Images(list(pictures), codes.astype(np.int64), tuple(str(v) for v in values))
