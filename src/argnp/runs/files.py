"""Files that are there whole or not at all, whatever happens while they are written."""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from argnp.errors import UserError

_PART: Final = ".part-"  # begins the name of a file that is still being written
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_REFUSED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.EFBIG})


def check_target(path: Path, flag: str = "") -> None:
    """Refuse a file that the user named and that could not be written in the end."""
    told = f"{flag} {path}".strip()
    if path.is_dir():
        raise UserError(f"{told}: a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise UserError(f"{told}: there is no folder {path.parent}; make it first")


def write_whole(path: Path, content: bytes | str) -> None:
    """Replace ``path`` by ``content``; text is written as UTF-8."""
    payload = content.encode() if isinstance(content, str) else content
    with whole(path) as part:
        part.write_bytes(payload)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A path beside ``path`` to write to; it takes the place of ``path`` when the block ends.

    It keeps the ending of the name, for writers that look at it. When the block raises, ``path``
    is what it was before and nothing is left behind.
    """
    part = path.with_name(f"{_PART}{os.getpid()}-{threading.get_ident()}-{path.name}")
    try:
        with clear_disk_errors(path):
            yield part
            _sync(part)
            part.replace(path)
            _sync(path.parent)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def clear_disk_errors(path: Path) -> Iterator[None]:
    """Turn what a disk can answer to writing ``path`` into one line for the user."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise UserError(
                f"{path}: the disk is full; free some space and run the same command again, "
                "it goes on from the last good state"
            ) from error
        if error.errno in _REFUSED:
            raise UserError(
                f"{path}: cannot be written ({error.strerror}); mend that and run the same "
                "command again, or choose another folder with -o"
            ) from error
        raise


def sweep(folder: Path) -> None:
    """Remove what killed writers left anywhere under ``folder``; nobody may be writing there."""
    for part in folder.rglob(f"{_PART}*"):
        part.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
