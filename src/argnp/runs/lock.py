"""One process at a time in a run folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from argnp.errors import UserError
from argnp.runs.files import clear_disk_errors


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file ``path``. The system lets go of it when the process ends, however."""
    with clear_disk_errors(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
            raise UserError(
                f"{path.parent}: in use by process {holder}; "
                "wait until it has ended, or choose another folder with -o"
            ) from None
        with clear_disk_errors(path):
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)
