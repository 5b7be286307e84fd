"""Checkpoints that notice when they are damaged, and the one before each last one.

A file is ``MAGIC``, the length of the payload (8 bytes, big-endian), its SHA-256, the payload.
Saving ``last`` keeps the one it replaces as ``previous``; a process that is killed between the
two renames leaves ``previous`` alone, and that is then the state to go on from.
"""

import hashlib
from pathlib import Path
from typing import Final, Literal

from argnp.errors import UserError
from argnp.runs.files import whole

Name = Literal["last", "best"]

_MAGIC: Final = b"argnp checkpoint 1\n"
_LENGTH: Final = 8
_HEADER: Final = len(_MAGIC) + _LENGTH + hashlib.sha256().digest_size


def save(folder: Path, name: Name, payload: bytes) -> None:
    """Put ``payload`` into ``folder`` as the checkpoint ``name``."""
    folder.mkdir(parents=True, exist_ok=True)
    path = _path(folder, name)
    with whole(path) as part:
        with part.open("wb") as file:
            file.write(_MAGIC + len(payload).to_bytes(_LENGTH, "big"))
            file.write(hashlib.sha256(payload).digest())
            file.write(payload)
        # A damaged one must not push out the good one that the run went on from.
        if name == "last" and _read(path) is not None:
            path.replace(_path(folder, "previous"))


def load(folder: Path, name: Name) -> tuple[bytes, str | None] | None:
    """The checkpoint ``name`` and a warning if it had to be an older one; None if there is none.

    Raises UserError where there are checkpoints but none of them is whole.
    """
    path = _path(folder, name)
    payload = _read(path)
    if payload is not None:
        return payload, None
    before = _path(folder, "previous")
    older = _read(before) if name == "last" else None
    if older is not None:
        return older, f"{path}: damaged, going on from the one before" if path.exists() else None
    if path.exists() or (name == "last" and before.exists()):
        raise UserError(
            f"{path}: damaged, and there is no older one to go on from; "
            f"delete the folder {folder} to do this part again"
        )
    return None


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.ckpt"


def _read(path: Path) -> bytes | None:
    """The payload, or None where the file is missing or not what was saved."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    length = content[len(_MAGIC) : len(_MAGIC) + _LENGTH]
    digest = content[len(_MAGIC) + _LENGTH : _HEADER]
    payload = content[_HEADER:]
    intact = (
        content.startswith(_MAGIC)
        and int.from_bytes(length, "big") == len(payload)
        and hashlib.sha256(payload).digest() == digest
    )
    return payload if intact else None
