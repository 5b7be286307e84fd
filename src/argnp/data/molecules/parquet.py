"""Rows of a Parquet file as text; needs pyarrow."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from argnp.data.molecules.files import first_line, is_gzipped, open_bytes
from argnp.errors import UserError


def read_columns(path: Path) -> tuple[str, ...]:
    """Names of the columns that hold one value per row."""
    with _parquet_file(path) as (pyarrow, file):
        schema = file.schema_arrow
        names = tuple(field.name for field in schema if not pyarrow.types.is_nested(field.type))
    if not names:
        raise UserError(f"{path}: no columns of single values")
    if len(set(names)) < len(names):
        raise UserError(f"{path}: two columns have the same name; rename one")
    return names


def read_chunks(path: Path, names: Sequence[str], size: int) -> Iterator[dict[str, list[str]]]:
    """Cells as a CSV file would hold them, ``size`` rows at a time."""
    with _parquet_file(path) as (_, file):
        for batch in file.iter_batches(batch_size=size, columns=list(names)):
            if batch.num_rows:
                yield {
                    name: [_text(cell) for cell in batch.column(name).to_pylist()] for name in names
                }


def _text(cell: object) -> str:
    if cell is None or cell != cell:  # noqa: PLR0124  (NaN)
        return ""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, bytes):
        return cell.decode(errors="replace").strip()
    return str(cell).strip()


@contextmanager
def _parquet_file(path: Path) -> Iterator[tuple[Any, Any]]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UserError(
            f"{path}: Parquet files need pyarrow (pip install 'argnp[parquet]')"
        ) from None
    with ExitStack() as stack:
        stream = stack.enter_context(open_bytes(path))
        if is_gzipped(path):
            # Parquet is read from its end: what gzip packed is unpacked first.
            seekable = stack.enter_context(tempfile.TemporaryFile())
            shutil.copyfileobj(stream, seekable)
            stream = seekable
        try:
            with pyarrow.parquet.ParquetFile(stream) as file:
                yield pyarrow, file
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise UserError(f"{path}: damaged Parquet file ({first_line(error)})") from None
