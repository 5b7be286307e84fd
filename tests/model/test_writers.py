import csv
import gzip
import io

import numpy as np
import pytest

from argnp.data.molecules.table import open_table
from argnp.errors import UserError
from argnp.model.predicted import Predicted
from argnp.model.writers import check_output, save_arrays, table_writer

PIECES = (
    {"smiles": ["C,C", 'a"b'], "y": np.array([0.1, np.nan], np.float32), "n": np.array([1, 2])},
    {"smiles": ["ü"], "y": np.array([-1e-20], np.float32), "n": np.array([3])},
)
ROWS = [["C,C", "0.1", "1"], ['a"b', "", "2"], ["ü", "-1e-20", "3"]]


def _write(path):
    with table_writer(path) as write:
        for piece in PIECES:
            write(piece)


@pytest.mark.parametrize(
    ("name", "delimiter"), [("a.csv", ","), ("a.tsv", "\t"), ("a.csv.gz", ","), ("a.tsv.gz", "\t")]
)
def test_text_tables(tmp_path, name, delimiter):
    path = tmp_path / name
    _write(path)
    content = path.read_bytes()
    text = (gzip.decompress(content) if name.endswith("gz") else content).decode()
    head, *rows = csv.reader(text.splitlines(), delimiter=delimiter)
    assert head == ["smiles", "y", "n"]
    assert rows == ROWS
    _write(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_line_ends_within_cells_are_quoted(tmp_path, name):
    cells = ["a\rb", "a\nb", "a\r\nb", "\r", "a\r\n", "plain"]
    with table_writer(tmp_path / name) as write:
        write({"x": cells, "y": cells})
    content = (tmp_path / name).read_bytes().decode()
    delimiter = "\t" if name == "a.tsv" else ","
    assert content.startswith(f"x{delimiter}y\n")
    assert content.endswith(f"plain{delimiter}plain\n")
    rows = list(csv.reader(io.StringIO(content, newline=""), delimiter=delimiter))
    assert rows == [["x", "y"], *([cell, cell] for cell in cells)]
    found = open_table(tmp_path / name).read(["x"]).columns["x"]
    assert found == [cell.strip() for cell in cells]


def test_numbers_come_back_as_they_were(tmp_path):
    values = np.random.default_rng(0).normal(size=1000).astype(np.float32)
    path = tmp_path / "a.csv"
    with table_writer(path) as write:
        write({"y": values})
    assert np.array_equal(np.array(path.read_text().split()[1:], np.float32), values)


def test_parquet_tables(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    _write(tmp_path / "a.parquet")
    found = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert found["smiles"] == ["C,C", 'a"b', "ü"]
    assert found["y"] == [pytest.approx(0.1), None, pytest.approx(-1e-20)]
    assert found["n"] == [1, 2, 3]


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_what_is_interrupted_leaves_nothing(tmp_path, name, error):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")

    def stop(write):
        write(PIECES[0])
        raise error

    with pytest.raises(error), table_writer(tmp_path / name) as write:
        stop(write)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old")

    def fill(write):
        write(PIECES[0])
        raise OSError(28, "No space left on device")

    with pytest.raises(UserError, match="the disk is full"), table_writer(path) as write:
        fill(write)
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_arrays(tmp_path):
    index = {"graph": np.array([0, 0]), "node": np.array([0, 1])}
    predicted = Predicted(np.eye(2, dtype=np.float32), np.ones((2, 2), np.float32), index)
    save_arrays(tmp_path / "a.npy", predicted)
    assert np.array_equal(np.load(tmp_path / "a.npy"), np.eye(2))
    save_arrays(tmp_path / "a.npz", predicted)
    with np.load(tmp_path / "a.npz") as found:
        assert set(found) == {"prediction", "spread", "graph", "node"}
        assert found["node"].tolist() == [0, 1]


def test_what_cannot_be_written_is_refused_beforehand(tmp_path):
    data = tmp_path / "data.csv"
    data.write_text("x")
    for name, told in (
        ("a.xlsx", "the ending says"),
        ("a.npz", "the ending says"),
        ("no/folder/a.csv", "there is no folder"),
        ("data.csv", "is the data itself"),
    ):
        with pytest.raises(UserError, match=told):
            check_output(tmp_path / name, arrays=False, source=str(data))
    (tmp_path / "b.csv").mkdir()
    with pytest.raises(UserError, match="a folder"):
        check_output(tmp_path / "b.csv", arrays=False, source=str(data))
    check_output(tmp_path / "a.npz", arrays=True, source="zinc")
