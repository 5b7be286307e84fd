"""Converted molecules kept between runs, found again by their content."""

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from argnp.data.molecules import chemistry
from argnp.data.molecules.convert import Progress, convert
from argnp.data.molecules.converted import DAMAGED, Converted
from argnp.data.molecules.featurizer import Featurizer
from argnp.errors import UserError
from argnp.runs.files import whole

_FORMAT: Final = 1  # of the files; raise it when what they hold changes


def default_folder() -> Path:
    """``$XDG_CACHE_HOME/argnp``, or ``~/.cache/argnp``."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "argnp"


def convert_cached(
    smiles: Sequence[str],
    featurizer: Featurizer,
    *,
    scaffolds: bool = False,
    stop_at_first: bool = False,
    folder: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Converted:
    """As :func:`convert`, once for the same SMILES, featuriser and version of RDKit.

    A cache that cannot be read or written costs time, never a run.
    """
    folder = default_folder() if folder is None else folder
    path = folder / "molecules" / f"{_key(smiles, featurizer, scaffolds)}.npz"
    found = _load(path)
    if found is not None and not (stop_at_first and found.rejected):
        return found
    converted = convert(
        smiles,
        featurizer,
        scaffolds=scaffolds,
        stop_at_first=stop_at_first,
        workers=workers,
        progress=progress,
    )
    if not (stop_at_first and converted.rejected):
        _store(path, converted)
    return converted


def _key(smiles: Sequence[str], featurizer: Featurizer, scaffolds: bool) -> str:
    version = chemistry.version()
    settings = {"format": _FORMAT, "rdkit": version, "scaffolds": scaffolds}
    digest = sha256(msgspec.json.encode([settings, featurizer]))
    for text in smiles:
        digest.update(msgspec.json.encode(text))
    return digest.hexdigest()


def _load(path: Path) -> Converted | None:
    try:
        with path.open("rb") as stream:
            return Converted.read(stream)
    except DAMAGED:
        return None


def _store(path: Path, converted: Converted) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole(path) as part, part.open("wb") as stream:
            converted.write(stream)
    except (OSError, UserError):
        return
