"""A table of text on disk, read in chunks: CSV, TSV or Parquet, gzipped or not."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from argnp.data.molecules import delimited, parquet
from argnp.data.molecules.files import file_errors, open_bytes
from argnp.errors import UserError

CHUNK_ROWS: Final = 4096
_COLUMNS_SHOWN: Final = 20
_PARQUET_MAGIC: Final = b"PAR1"


@dataclass(frozen=True)
class Chunk:
    """Consecutive rows; row 1 is the first below the header. Cells are stripped text.

    ``bad``: reason by place in the chunk, of rows whose cells are not to be relied on: too few or
    too many of them, or bytes that are no text.
    """

    first_row: int
    columns: Mapping[str, list[str]]
    bad: Mapping[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> range:
        return range(self.first_row, self.first_row + len(next(iter(self.columns.values()))))


@dataclass(frozen=True)
class Table:
    """A file whose header has been read; ``chunks`` opens it afresh and holds one at a time."""

    path: Path
    format: Literal["delimited", "parquet"]
    columns: tuple[str, ...]
    delimiter: str = ","

    def require(self, column: str) -> str:
        """The column's name, or a line that says which there are."""
        if column in self.columns:
            return column
        close = difflib.get_close_matches(column, self.columns, n=1, cutoff=0.5)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise UserError(
            f"{self.path}: no column '{column}'{hint} (columns: {list_names(self.columns)})"
        )

    def chunks(
        self, columns: Sequence[str] | None = None, size: int = CHUNK_ROWS
    ) -> Iterator[Chunk]:
        """The rows of these columns (default: all), ``size`` at a time, in file order."""
        names = [self.require(name) for name in (self.columns if columns is None else columns)]
        first = 1
        with file_errors(self.path):
            if self.format == "parquet":
                read = parquet.read_chunks(self.path, names, size)
                parts: Iterator[delimited.Part] = ((part, {}) for part in read)
            else:
                places = {name: self.columns.index(name) for name in names}
                parts = delimited.read_chunks(self.path, self.delimiter, self.columns, places, size)
            for part in parts:
                chunk = Chunk(first, *part)
                first = chunk.rows.stop
                yield chunk

    def head(self, rows: int) -> Mapping[str, list[str]]:
        """The first rows of every column."""
        chunk = next(self.chunks(size=rows), None)
        return {name: [] for name in self.columns} if chunk is None else chunk.columns

    def read(self, columns: Sequence[str]) -> Chunk:
        """All rows of some columns."""
        whole: dict[str, list[str]] = {name: [] for name in columns}
        bad: dict[int, str] = {}
        for chunk in self.chunks(columns):
            for name, cells in whole.items():
                cells.extend(chunk.columns[name])
            bad |= {chunk.first_row - 1 + place: why for place, why in chunk.bad.items()}
        return Chunk(1, whole, bad)


def open_table(path: Path | str) -> Table:
    """Reads the header; what kind of file it is shows in its first bytes, not in its name."""
    path = Path(path)
    with file_errors(path):
        with open_bytes(path) as stream:
            magic = stream.read(len(_PARQUET_MAGIC))
        if magic == _PARQUET_MAGIC:
            return Table(path, "parquet", parquet.read_columns(path))
        columns, delimiter = delimited.read_header(path)
        return Table(path, "delimited", columns, delimiter)


def list_names(names: Sequence[str]) -> str:
    """Names for an error line, cut where they are many."""
    shown = ", ".join(names[:_COLUMNS_SHOWN])
    more = len(names) - _COLUMNS_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
