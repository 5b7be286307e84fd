"""Files that are there are used; files that are not are fetched, or named with their address."""

import contextlib
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPResponse, IncompleteRead
from pathlib import Path
from unittest import mock

from argnp.errors import UserError

_PATIENCE = 20.0  # seconds until a silent server is given up


class NoDownloadError(UserError):
    """The files are not here and cannot be fetched."""


def default_root() -> Path:
    """Where benchmarks lie unless the user says otherwise."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "argnp" / "data"


def have(folder: Path, files: Sequence[str]) -> bool:
    """Whether all of them are in the folder."""
    return all((folder / file).exists() for file in files)


def fetch(
    name: str, folder: Path, files: Sequence[str], address: str, download: Callable[[Path], Path]
) -> None:
    """Runs somebody's own download; what fails becomes one line that helps.

    It is given an empty folder and tells where in it lies what belongs into ``folder``: some
    loaders begin by clearing theirs, and all leave half a file where they are interrupted.
    Files arrive here whole, and none that is here already is touched. ``address``: where they
    come from, as the message names it.
    """
    created = _make(folder.parent)
    try:
        with _scratch(folder.parent) as scratch:
            with _impatient(), _sceptical(), contextlib.redirect_stdout(sys.stderr):
                arrived = download(scratch)
            _merge(arrived, folder)
    except (Exception, SystemExit) as failed:  # whatever goes wrong, the way out is the same
        raise NoDownloadError(
            f"{name}: {_missing(folder, files).name} is missing and could not be downloaded from "
            f"{address} ({_reason(failed)}); put it into {_missing(folder, files).parent}"
        ) from None
    finally:
        for path in created:
            with contextlib.suppress(OSError):  # what holds something now stays
                path.rmdir()
    if not have(folder, files):
        missing = _missing(folder, files)
        raise NoDownloadError(
            f"{name}: {missing.name} was not in the download from {address}; "
            f"put it into {missing.parent}"
        )


def _missing(folder: Path, files: Sequence[str]) -> Path:
    return folder / next((file for file in files if not (folder / file).exists()), files[0])


@contextlib.contextmanager
def _scratch(parent: Path) -> Iterator[Path]:
    """An empty folder on the same disk, so that what is in it can be moved in one go."""
    path = Path(tempfile.mkdtemp(prefix=".download-", dir=parent))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _merge(arrived: Path, folder: Path) -> None:
    """Moves what is not there yet."""
    if not folder.exists():
        shutil.move(arrived, folder)
    elif arrived.is_dir() and folder.is_dir():
        for item in sorted(arrived.iterdir()):
            _merge(item, folder / item.name)


def _make(folder: Path) -> list[Path]:
    """Makes the folder and its parents; those that are new, innermost first."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failed:
        raise UserError(
            f"{folder} cannot be made ({failed.strerror}); give another --root"
        ) from None
    return new


@contextlib.contextmanager
def _impatient() -> Iterator[None]:
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(_PATIENCE)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


@contextlib.contextmanager
def _sceptical() -> Iterator[None]:
    """A connection that is closed early looks like the end of the file; here it is an error."""
    read = HTTPResponse.read

    def read_on(self: HTTPResponse, amount: int | None = None) -> bytes:
        found = read(self, amount)
        if amount and not found and self.length:
            raise IncompleteRead(found, self.length)
        return found

    with mock.patch.object(HTTPResponse, "read", read_on):
        yield


def _reason(failed: BaseException) -> str:
    inner = getattr(failed, "reason", None) or failed
    return " ".join(str(inner).split())[:120] or type(failed).__name__
