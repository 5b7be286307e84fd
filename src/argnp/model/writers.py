"""Tables of predictions on disk: written piece by piece, there whole or not at all."""

import csv
import gzip
import io
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

import numpy as np

from argnp.errors import UserError
from argnp.model.columns import Columns
from argnp.model.predicted import Predicted
from argnp.runs.files import check_target, whole

Write = Callable[[Columns], None]
ARRAYS: Final = (".npy", ".npz")
TABLES: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")


def check_output(path: Path, *, arrays: bool, source: str) -> None:
    """Refuses, before anything is computed, what could not be written in the end."""
    endings = (*TABLES, *ARRAYS) if arrays else TABLES
    if not path.name.lower().endswith(endings):
        raise UserError(f"-o {path}: the ending says what is written: {', '.join(endings)}")
    check_target(path, "-o")
    if path.exists() and Path(source).exists() and path.samefile(source):
        raise UserError(f"-o {path}: is the data itself; name another file")
    if path.suffix.lower() == ".parquet":
        _pyarrow(path)


@contextmanager
def table_writer(path: Path) -> Iterator[Write]:
    """Takes pieces with the same columns each; ``path`` appears when the context ends well."""
    with whole(path) as part, _opened(part) as write:
        yield write


@contextmanager
def _opened(part: Path) -> Iterator[Write]:
    if part.suffix.lower() == ".parquet":
        with _parquet(part) as write:
            yield write
        return
    with ExitStack() as stack:
        binary: Any = stack.enter_context(part.open("wb"))
        if part.suffix.lower() == ".gz":
            # No name and no time in it: the same predictions are the same bytes.
            binary = stack.enter_context(gzip.GzipFile("", "wb", 6, binary, mtime=0))
        text = stack.enter_context(io.TextIOWrapper(binary, encoding="utf-8", newline=""))
        delimiter = "\t" if ".tsv" in part.suffixes else ","
        writer = csv.writer(_Lines(text), delimiter=delimiter, lineterminator="\r\n")
        begun = False

        def write(columns: Columns) -> None:
            nonlocal begun
            if not begun:
                writer.writerow(columns)
                begun = True
            writer.writerows(zip(*map(_texts, columns.values()), strict=True))

        yield write


class _Lines:
    """Ends lines with a line feed alone. The csv module is told of both characters, as it quotes
    only those cells that hold one of a line's end."""

    def __init__(self, text: TextIO) -> None:
        self._text = text

    def write(self, line: str) -> int:
        return self._text.write(line[:-2] + "\n")


def _texts(cells: Any) -> list[str]:
    """Shortest digits that give the same number back; blank for NaN."""
    if isinstance(cells, list):
        return cells
    texts: list[str] = cells.astype(str).tolist()
    if cells.dtype.kind == "f" and np.isnan(cells).any():
        return ["" if text == "nan" else text for text in texts]
    return texts


@contextmanager
def _parquet(part: Path) -> Iterator[Write]:
    pyarrow, parquet = _pyarrow(part)
    with ExitStack() as stack:
        writers: list[Any] = []

        def write(columns: Columns) -> None:
            table = pyarrow.table(
                {
                    # from_pandas: NaN is a missing value
                    name: pyarrow.array(cells, _type(pyarrow, cells), from_pandas=True)
                    for name, cells in columns.items()
                }
            )
            if not writers:
                writers.append(stack.enter_context(parquet.ParquetWriter(part, table.schema)))
            writers[0].write_table(table)

        yield write


def _type(pyarrow: Any, cells: Any) -> Any:
    return pyarrow.string() if isinstance(cells, list) else pyarrow.from_numpy_dtype(cells.dtype)


def _pyarrow(path: Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise UserError(
            f"-o {path}: Parquet files need pyarrow (pip install 'argnp[parquet]')"
        ) from None
    return pyarrow, parquet


def save_arrays(path: Path, predicted: Predicted) -> None:
    """``.npy``: the values, (rows, outputs). ``.npz``: ``prediction``, index and ``spread``."""
    with whole(path) as part, part.open("wb") as stream:
        if part.suffix.lower() == ".npy":
            np.save(stream, predicted.values)
            return
        arrays = {"prediction": predicted.values, **predicted.index}
        if predicted.spread is not None:
            arrays["spread"] = predicted.spread
        np.savez(stream, **arrays)  # type: ignore[arg-type]
