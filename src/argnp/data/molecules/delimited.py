"""Rows of a CSV or TSV file: quoting, encoding, ragged rows."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from argnp.data.molecules.files import open_bytes
from argnp.errors import UserError

Part = tuple[dict[str, list[str]], dict[int, str]]
"""Columns of some rows, and why a row among them, counted from 0, is not to be relied on."""

_UTF16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
_DELIMITERS: Final = (",", "\t", ";")


def read_header(path: Path) -> tuple[tuple[str, ...], str]:
    """Column names and delimiter: the one of comma, tab, semicolon that splits the header most."""
    with open_bytes(path) as stream:
        if stream.read(2) in _UTF16_MARKS:
            raise UserError(f"{path}: UTF-16 text; save it as UTF-8")
    by_ending = sorted(_DELIMITERS, key=lambda mark: (mark == "\t") != (".tsv" in path.suffixes))
    header, delimiter = max(
        ((_first_row(path, mark), mark) for mark in by_ending), key=lambda found: len(found[0])
    )
    if not header:
        raise UserError(f"{path}: no header; the first line has to name the columns")
    if not all(map(_decoded, header)):
        raise UserError(f"{path}: the header is not UTF-8 text; save the file as UTF-8")
    names = [cell.strip() or f"column {place + 1}" for place, cell in enumerate(header)]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UserError(f"{path}: two columns are called '{name}'; rename one in the header")
    return tuple(names), delimiter


def read_chunks(
    path: Path,
    delimiter: str,
    header: Sequence[str],
    places: Mapping[str, int],
    size: int,
) -> Iterator[Part]:
    """Cells of the columns at ``places``, ``size`` rows at a time."""
    rows = _rows(path, delimiter)
    next(rows, None)
    found = _Found(header, places)
    number = 0
    while True:
        number += 1
        try:
            cells = next(rows, None)
        except csv.Error as error:
            raise UserError(
                f"{path}, row {number}: {error}; quotes stand around whole cells, doubled within"
            ) from None
        if cells is None:
            break
        found.add(cells)
        if found.count == size:
            yield found.part()
            found = _Found(header, places)
    if found.count:
        yield found.part()


class _Found:
    """The rows of a chunk. A row with too few or too many cells keeps its place."""

    def __init__(self, header: Sequence[str], places: Mapping[str, int]) -> None:
        self._header, self._places = header, places
        self._columns: dict[str, list[str]] = {name: [] for name in places}
        self._bad: dict[int, str] = {}
        self.count = 0

    def add(self, cells: list[str]) -> None:
        if len(cells) != len(self._header):
            why = _why_ragged(cells, self._header)
            if why:
                self._bad[self.count] = why
            cells = cells + [""] * (len(self._header) - len(cells))
        for name, place in self._places.items():
            self._columns[name].append(cells[place].strip())
        self.count += 1

    def part(self) -> Part:
        for name, cells in self._columns.items():
            for row, cell in enumerate(cells):
                if not _decoded(cell):
                    cells[row] = cell.encode(errors="surrogateescape").decode(errors="replace")
                    self._bad.setdefault(row, f"column {name}: not UTF-8 text")
        return self._columns, self._bad


def _why_ragged(cells: Sequence[str], header: Sequence[str]) -> str:
    if len(cells) < len(header):
        return (
            f"{len(cells)} cells for {len(header)} columns, column {header[len(cells)]} is missing"
        )
    # A delimiter at the end of a row is common and harmless.
    if any(cell.strip() for cell in cells[len(header) :]):
        return (
            f"{len(cells)} cells for {len(header)} columns; quote cells that contain the delimiter"
        )
    return ""


def _rows(path: Path, delimiter: str) -> Iterator[list[str]]:
    """The header, and rows that are not blank; of one column they may be."""
    with open_bytes(path) as stream:
        # Undecodable bytes become lone surrogates, so that the cell they stand in can be named.
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
        width = 0
        for cells in csv.reader(text, delimiter=delimiter, strict=True):
            if cells and (len(cells) > 1 or cells[0].strip()):
                width = width or len(cells)
                yield cells
            elif width == 1:
                yield [""]


def _first_row(path: Path, delimiter: str) -> list[str]:
    """Nothing where the quoting does not fit the delimiter."""
    try:
        return next(_rows(path, delimiter), [])
    except csv.Error:
        return []


def _decoded(cell: str) -> bool:
    """Whether all of its bytes were UTF-8."""
    if cell.isascii():
        return True
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True
