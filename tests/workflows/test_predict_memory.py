"""The memory of `argnp predict` does not grow with the rows of the table."""

import subprocess
import sys

import pytest

PREDICT = """
import resource, sys
from argnp.cli.main import main
assert main(["predict", *sys.argv[1:], "--workers", "1", "--quiet"]) == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _peak(small_run, folder, rows: int) -> float:
    """MB of the whole command; lengths of molecules and of kept cells are those of real tables."""
    table, output = folder / f"{rows}.csv", folder / f"{rows}.out.csv"
    with table.open("w") as stream:
        stream.write("id,structure\n")
        for row in range(rows):
            stream.write(f"molecule number {row},{'C' * (row % 17)}c1ccc(O)cc1C(=O)NCC{row % 3}\n")
    ran = subprocess.run(
        [
            *(sys.executable, "-c", PREDICT, str(small_run.folder), str(table)),
            *("-o", str(output), "--keep", "id"),
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(output.read_text().splitlines()) == rows + 1
    return int(ran.stdout.splitlines()[-1]) / 1024


@pytest.mark.slow
def test_ten_times_the_rows_take_no_more_memory(small_run, tmp_path):
    """Whatever was kept of each row, a few hundred bytes or more, would show."""
    few, many = _peak(small_run, tmp_path, 5_000), _peak(small_run, tmp_path, 50_000)
    assert many - few < 10
