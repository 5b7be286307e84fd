"""Which files a dataset of PyG needs, which of them are there, and getting the others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from argnp.data.benchmarks.download import fetch, have

Kind = Any  # a class derived from PyG's InMemoryDataset
Attributes = Mapping[str, object]  # of an instance: what its paths depend on


def found(kind: Kind, home: Path, attributes: Attributes) -> bool:
    """Whether ``home`` holds the dataset, raw or processed."""
    asked = _uninitialised(kind, home, attributes)
    return _raw(asked) or _processed(asked)


def ready(name: str, kind: Kind, home: Path, address: str, attributes: Attributes) -> Kind:
    """The class to read the dataset with, once its files are there.

    The class returned does not download: PyG asks for the raw files even where the processed
    ones are all it reads, and clears the folder of some sets where one file of several is missing.
    """
    asked = _uninitialised(kind, home, attributes)
    if not (_raw(asked) or _processed(asked)):
        get(name, kind, home, address, attributes, _listed(asked.raw_file_names))
    return type(kind.__name__, (kind,), {"_download": lambda self: None})


def get(
    name: str, kind: Kind, home: Path, address: str, attributes: Attributes, files: Sequence[str]
) -> None:
    """PyG's download of what belongs into the raw folder; it must bring ``files``."""

    def download(scratch: Path) -> Path:
        asked = _uninitialised(kind, scratch, attributes)
        raw = Path(asked.raw_dir)
        raw.mkdir(parents=True)
        asked.download()
        return raw

    raw = Path(_uninitialised(kind, home, attributes).raw_dir)
    fetch(name, raw, files, address, download)


def home_of(kind: Kind, root: Path, folders: Sequence[str], attributes: Attributes) -> Path:
    """The first of ``root`` and its ``folders`` that holds the dataset; else the first folder.

    For datasets whose PyG layout does not begin with a folder of their own.
    """
    homes = [root, *(root / folder for folder in folders)]
    return next((h for h in homes if found(kind, h, attributes)), homes[1])


def _uninitialised(kind: Kind, home: Path, attributes: Attributes) -> Any:
    """An instance that knows its paths and has read nothing."""
    asked = kind.__new__(kind)
    vars(asked).update(attributes, root=str(home), log=False)
    return asked


def _raw(asked: Any) -> bool:
    return have(Path(asked.raw_dir), _listed(asked.raw_file_names))


def _processed(asked: Any) -> bool:
    return have(Path(asked.processed_dir), _listed(asked.processed_file_names))


def _listed(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)
