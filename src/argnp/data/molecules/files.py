"""Opening what a user names: packed or not, and what can be wrong with it as one line."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from argnp.errors import UserError

_GZIP_MAGIC: Final = b"\x1f\x8b"


def is_gzipped(path: Path) -> bool:
    """By the first bytes, whatever the name says."""
    with path.open("rb") as stream:
        return stream.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC


def open_bytes(path: Path) -> IO[bytes]:
    """The file's bytes, unpacked where gzip packed them."""
    return cast(IO[bytes], gzip.open(path, "rb")) if is_gzipped(path) else path.open("rb")


def first_line(error: BaseException) -> str:
    """What an error of a library says, without the lines that follow."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """What the file system and gzip say of a file that is read in this context."""
    try:
        yield
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise UserError(f"{path}: a folder; name a file in it") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserError(f"{path}: damaged gzip file ({error}); fetch or pack it again") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror or first_line(error)})") from None
