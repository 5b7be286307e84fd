"""A folder that is written whole or not at all, with the checksums of its files."""

import glob
import hashlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from argnp.errors import UserError
from argnp.model.manifest import CHECKSUMS, MODEL, read_struct, to_json
from argnp.runs.files import clear_disk_errors

_NEW: Final = ".new-"
_OLD: Final = ".old-"


class Checksums(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """SHA-256 of every file of a model folder, by name."""

    sha256: dict[str, str]


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Puts ``files`` and their checksums in place of what the folder held of them before.

    They are written to a folder beside it that then takes its name. A folder that holds
    something, but no model, is left alone. What else lay in an old model folder stays in it.
    Where ``folder`` is a link, what it leads to is written.
    """
    named, folder = folder, folder.resolve()
    if folder.is_file() or (
        folder.is_dir() and any(folder.iterdir()) and not (folder / MODEL).is_file()
    ):
        raise UserError(f"{named}: holds other things than a model; name another folder")
    if folder in (here := Path.cwd(), *here.parents):
        raise UserError(
            f"{named}: you are in this folder, which is replaced as a whole; name one in it, or "
            "go elsewhere"
        )
    sums = Checksums({name: _digest(content) for name, content in files.items()})
    new = folder.with_name(f"{_NEW}{folder.name}-{os.getpid()}")
    old = folder.with_name(f"{_OLD}{folder.name}-{os.getpid()}")
    with clear_disk_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        for left in (*_stale(folder, _NEW), *_stale(folder, _OLD)):
            if left.is_symlink():
                left.unlink()
            else:
                shutil.rmtree(left)
        try:
            new.mkdir()
            for name, content in {**files, CHECKSUMS: to_json(sums)}.items():
                _write(new / name, content)
            _sync(new)
            if folder.exists():
                _keep_others(folder, new)
                folder.replace(old)
            new.replace(folder)
        finally:
            if old.exists() and not folder.exists():
                old.replace(folder)
            shutil.rmtree(new, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)
        _sync(folder.parent)


class FolderFiles:
    """The files of a model folder, each compared with its checksum when it is read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listing = self._bytes(CHECKSUMS)
        self._sums = read_struct(folder / CHECKSUMS, listing, Checksums).sha256

    def read(self, name: str) -> bytes:
        """The content of a file that is what it was when the model was packaged."""
        if name not in self._sums:
            raise UserError(
                f"{self.folder / CHECKSUMS}: does not list {name}; copy the folder again"
            )
        content = self._bytes(name)
        if _digest(content) != self._sums[name]:
            raise UserError(
                f"{self.folder / name}: damaged or changed since it was packaged (its checksum "
                "differs); copy the model folder again"
            )
        return content

    def _bytes(self, name: str) -> bytes:
        file = self.folder / name
        if file.exists() and not file.is_file():  # a pipe, say, would never end
            raise UserError(f"{file}: no regular file; copy the model folder again")
        try:
            return file.read_bytes()
        except FileNotFoundError:
            raise UserError(f"{file}: missing; copy the model folder again") from None
        except OSError as error:
            raise UserError(f"{file}: cannot be read ({error.strerror})") from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _stale(folder: Path, prefix: str) -> list[Path]:
    """What a killed writer left beside the folder."""
    return list(folder.parent.glob(f"{prefix}{glob.escape(folder.name)}-*"))


def _keep_others(old: Path, new: Path) -> None:
    """Carries over what the user has laid into the old folder; the model's own files go."""
    sums = old / CHECKSUMS
    known = set(msgspec.json.decode(sums.read_bytes()).get("sha256", ())) if sums.is_file() else {}
    for item in old.iterdir():
        if item.name != CHECKSUMS and item.name not in known and not (new / item.name).exists():
            copy = shutil.copytree if item.is_dir() else shutil.copy2
            copy(item, new / item.name)


def _write(file: Path, content: bytes) -> None:
    with file.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
