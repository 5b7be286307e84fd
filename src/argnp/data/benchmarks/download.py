"""Files that are there are used; files that are not are fetched, or named with their address."""

import contextlib
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

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
    name: str, folder: Path, files: Sequence[str], address: str, download: Callable[[], object]
) -> None:
    """Runs PyG's own download into ``folder``; what fails becomes one line that helps.

    ``address``: where the files come from, as the message names it.
    """
    created = _make(folder)
    try:
        with _impatient(), contextlib.redirect_stdout(sys.stderr):
            download()
    except (Exception, SystemExit) as failed:  # whatever goes wrong, the way out is the same
        for path in created:
            with contextlib.suppress(OSError):
                path.rmdir()
        missing = next((f for f in files if not (folder / f).exists()), files[0])
        raise NoDownloadError(
            f"{name}: {missing} is missing and could not be downloaded from {address} "
            f"({_reason(failed)}); put it into {folder}"
        ) from None
    if not have(folder, files):
        missing = next(f for f in files if not (folder / f).exists())
        raise NoDownloadError(
            f"{name}: {missing} was not in the download from {address}; put it into {folder}"
        )


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


def _reason(failed: BaseException) -> str:
    inner = getattr(failed, "reason", None) or failed
    return " ".join(str(inner).split())[:120] or type(failed).__name__
