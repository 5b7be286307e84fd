"""Rows of a CSV or TSV file: quoting, encoding, ragged rows."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from argnp.data.molecules.files import open_bytes
from argnp.errors import UserError

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
) -> Iterator[dict[str, list[str]]]:
    """Cells of the columns at ``places``, ``size`` rows at a time."""
    rows = _rows(path, delimiter)
    next(rows, None)
    chunk: dict[str, list[str]] = {name: [] for name in places}
    number = filled = 0
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
        if len(cells) != len(header):
            _check_length(path, number, cells, header)
        for name, place in places.items():
            chunk[name].append(cells[place].strip())
        filled += 1
        if filled == size:
            yield chunk
            chunk, filled = {name: [] for name in places}, 0
    if filled:
        yield chunk


def _check_length(path: Path, row: int, cells: Sequence[str], header: Sequence[str]) -> None:
    if len(cells) < len(header):
        raise UserError(
            f"{path}, row {row}: {len(cells)} cells for {len(header)} columns, "
            f"column {header[len(cells)]} is missing; fill the row or quote its cells"
        )
    # A delimiter at the end of a row is common and harmless.
    if any(cell.strip() for cell in cells[len(header) :]):
        raise UserError(
            f"{path}, row {row}: {len(cells)} cells for {len(header)} columns; "
            "quote cells that contain the delimiter"
        )


def _rows(path: Path, delimiter: str) -> Iterator[list[str]]:
    """Rows that are not blank, the header first."""
    with open_bytes(path) as stream:
        # Undecodable bytes become lone surrogates, so that the line they stand in can be named.
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
        reader = csv.reader(_checked(path, text), delimiter=delimiter, strict=True)
        for cells in reader:
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield cells


def _first_row(path: Path, delimiter: str) -> list[str]:
    """Nothing where the quoting does not fit the delimiter."""
    try:
        return next(_rows(path, delimiter), [])
    except csv.Error:
        return []


def _checked(path: Path, lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if not line.isascii():
            try:
                line.encode()
            except UnicodeEncodeError:
                raise UserError(
                    f"{path}, line {number}: not UTF-8 text; save it as UTF-8"
                ) from None
        yield line
