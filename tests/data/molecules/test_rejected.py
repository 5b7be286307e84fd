import csv
from pathlib import Path

import pytest

from argnp.data.molecules.rejected import Rejected, refuse, write_rejected
from argnp.errors import UserError


def test_the_file_reads_back_whatever_is_in_it(tmp_path: Path) -> None:
    rejected = [Rejected(2, 'column s: no "valid" SMILES', 'a,b\n"c'), Rejected(7, "ü", "")]
    write_rejected(tmp_path / "rejected.csv", rejected)
    with (tmp_path / "rejected.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["row", "reason", "smiles"]
    assert [Rejected(int(row), reason, smiles) for row, reason, smiles in rows[1:]] == rejected
    assert [item.name for item in tmp_path.iterdir()] == ["rejected.csv"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "rejected.csv"
    write_rejected(path, [Rejected(1, "a", "b")])
    before = path.read_bytes()
    with pytest.raises(UnicodeEncodeError):
        write_rejected(path, [Rejected(2, "\udcff", "c")])
    assert path.read_bytes() == before


def test_refusing_names_file_row_and_way_out() -> None:
    error = refuse(Path("m.csv"), Rejected(17, "column s: no valid SMILES", "xyz"))
    assert isinstance(error, UserError)
    assert str(error) == (
        "m.csv, row 17, column s: no valid SMILES in 'xyz'; "
        "mend the row, or drop it with --on-invalid skip"
    )
