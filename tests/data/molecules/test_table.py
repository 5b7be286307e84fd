import gzip
import tracemalloc
from pathlib import Path

import pytest

from argnp.data.molecules.table import open_table
from argnp.errors import UserError

ROWS = {"smiles": ["CCO", "c1ccccc1,", ""], "note": ['say "a"', "two\nlines", "ü"]}
CSV = 'smiles,note\nCCO,"say ""a"""\n"c1ccccc1,","two\nlines"\n,ü\n'


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("packed", [False, True])
def test_every_dialect_gives_the_same_rows(
    tmp_path: Path, mark: str, ends: str, delimiter: str, packed: bool
) -> None:
    quoted = "\n".join(
        delimiter.join('"' + cell.replace('"', '""') + '"' for cell in cells)
        for cells in [tuple(ROWS), *zip(*ROWS.values(), strict=True)]
    )
    data = (mark + quoted.replace("\n", ends)).encode()
    path = tmp_path / "table.txt"
    path.write_bytes(gzip.compress(data) if packed else data)
    table = open_table(path)
    assert table.columns == ("smiles", "note")
    assert {
        name: [cell.replace(ends, "\n") for cell in cells]
        for name, cells in table.read(table.columns).columns.items()
    } == ROWS


@pytest.mark.parametrize("packed", [False, True])
def test_parquet_reads_as_the_csv_of_the_same_table(tmp_path: Path, packed: bool) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {
        "smiles": ["C", None, " CC "],
        "real": [1.5, None, float("nan")],
        "whole": [3, None, -1],
        "yes": [True, False, None],
        "nested": [[1], [2], [3]],
    }
    path = tmp_path / "table.bin"
    parquet.write_table(pyarrow.table(columns), path)
    if packed:
        path.write_bytes(gzip.compress(path.read_bytes()))
    table = open_table(path)
    assert table.columns == ("smiles", "real", "whole", "yes")
    assert table.read(table.columns).columns == {
        "smiles": ["C", "", "CC"],
        "real": ["1.5", "", ""],
        "whole": ["3", "", "-1"],
        "yes": ["1", "0", ""],
    }


def test_chunks_carry_their_row_numbers(write) -> None:
    table = open_table(write("a.csv", "x", *map(str, range(10))))
    chunks = list(table.chunks(size=4))
    assert [list(chunk.rows) for chunk in chunks] == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]
    assert [cell for chunk in chunks for cell in chunk.columns["x"]] == [str(i) for i in range(10)]


def test_memory_does_not_grow_with_the_rows(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("x,y\n" + "abcdefghij,klmnopqrst\n" * 60_000)
    tracemalloc.start()
    try:
        assert sum(len(chunk.rows) for chunk in open_table(path).chunks(size=500)) == 60_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_blank_lines_are_no_rows_and_a_trailing_delimiter_is_no_cell(write) -> None:
    table = open_table(write("a.csv", "", "x,y", "1,2,", "", "3,4, ,", ""))
    assert table.read(["x", "y"]).columns == {"x": ["1", "3"], "y": ["2", "4"]}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_in_a_table_of_one_column_a_blank_line_is_a_row(tmp_path: Path, ends: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(ends.join(["", "x", "1", "", " ", "2", ""]).encode())
    assert open_table(path).read(["x"]).columns == {"x": ["1", "", "", "2"]}


def test_a_row_that_cannot_be_read_keeps_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"x,y,z\n1,2,3\n4\n5,6,7,8\n9,\xe9,\xc3\xa9\n10,\xc3\xa9,\xe9\n")
    table = open_table(path)
    whole = table.read(["x", "y"])
    assert whole.columns == {"x": ["1", "4", "5", "9", "10"], "y": ["2", "", "6", "\ufffd", "é"]}
    assert whole.bad == {
        1: "1 cells for 3 columns, column y is missing",
        2: "4 cells for 3 columns; quote cells that contain the delimiter",
        3: "column y: not UTF-8 text",
    }
    chunks = list(table.chunks(["x", "y"], size=2))
    assert [sorted(chunk.bad) for chunk in chunks] == [[1], [0, 1], []]


def test_nameless_columns_get_a_name(write) -> None:
    assert open_table(write("a.csv", ",smiles", "0,C")).columns == ("column 1", "smiles")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((), "no header"),
        (("", "  "), "no header"),
        (("x,x", "1,2"), "two columns are called 'x'"),
        (("x,y", "1,2", '3,"open', "4,5"), "row 2: unexpected end of data"),
        (("x,y", '"a"b,2'), "row 1: "),
        (("x", "a" * 200_000), "row 1: field larger"),
    ],
)
def test_a_broken_file_is_one_line(write, lines: tuple[str, ...], message: str) -> None:
    path = write("broken.csv", *lines)
    with pytest.raises(UserError) as caught:
        list(open_table(path).chunks())
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x,\xff\nabc,d\n", "the header is not UTF-8"),
        ("x\n1\n".encode("utf-16"), "UTF-16"),
        (gzip.compress(b"x\n" + bytes(range(32, 127)) * 90)[:-12], "damaged gzip"),
        (b"\x1f\x8b\x08junk", "damaged gzip"),
        (b"PAR1 and nothing else", "damaged Parquet"),
    ],
)
def test_damaged_bytes_are_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "damaged.csv"
    path.write_bytes(data)
    with pytest.raises(UserError, match=message):
        list(open_table(path).chunks())


def test_a_missing_file_a_folder_and_a_missing_column(write, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        open_table(tmp_path / "absent.csv")
    with pytest.raises(UserError, match="a folder"):
        open_table(tmp_path)
    table = open_table(write("a.csv", "smiles,logS", "C,1"))
    with pytest.raises(UserError, match=r"no column 'logs'; did you mean 'logS'\? \(columns: smi"):
        table.read(["logs"])
