import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("rdkit")

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "esol_chemprop.py"

# In place of chemprop: predicts every test molecule too high by one, and counts its trainings.
STAND_IN = """#!{python}
import csv, os, sys
flags = dict(zip(sys.argv[2::2], sys.argv[3::2]))
target = flags["--target-columns"]
with open(flags["--data-path"]) as stream:
    rows = [row for row in csv.DictReader(stream) if row["split"] == "test"]
folder = os.path.join(flags["-o"], "model_0")
os.makedirs(folder)
with open(os.path.join(folder, "test_predictions.csv"), "w") as stream:
    print("smiles," + target, file=stream)
    for row in rows:
        print(row["smiles"], float(row[target]) + 1, sep=",", file=stream)
with open(os.path.join(os.path.dirname(__file__), "trainings"), "a") as stream:
    print(flags["--pytorch-seed"], file=stream)
"""


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs that answer as those of chemprop's environment."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "chemprop").write_text(STAND_IN.format(python=sys.executable))
    (folder / "python").write_text("#!/bin/sh\necho 2.3.9\n")
    for program in ("chemprop", "python"):
        (folder / program).chmod(0o755)
    return folder


def compare(
    folder: Path, programs: Path, data: str, *options: str
) -> subprocess.CompletedProcess[str]:
    table = folder / "molecules.csv"
    table.write_text(data)
    command = [sys.executable, str(SCRIPT), str(table), "--chemprop", str(programs)]
    command += ["--folder", str(folder / "runs"), "--out", str(folder / "out.json")]
    return subprocess.run([*command, *options], capture_output=True, text=True, check=False)


def molecules(last: str = "") -> str:
    rows = [f"{'C' * length},{length / 7},x{length}" for length in range(1, 31)]
    return "\n".join(["structure,value,name", *rows, "CO,,blank", last])


def test_errors_are_in_the_target_s_units_and_what_is_done_is_not_done_again(
    tmp_path: Path, programs: Path
) -> None:
    options = ["--target", "value", "--only", "chemprop", "--splits"]
    assert compare(tmp_path, programs, molecules(), *options, "1").returncode == 0
    done = compare(tmp_path, programs, molecules(), *options, "0", "1")
    assert [line.split()[:2] for line in done.stdout.splitlines()[-3:]] == [
        ["0", "1.00"],
        ["1", "1.00"],
        ["mean", "1.00"],
    ]
    assert (programs / "trainings").read_text().split() == ["1", "0"]
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["molecules"] == 30
    assert found["splits"][0]["chemprop"]["version"] == "2.3.9"
    assert found["summary"]["chemprop"]["rmse"] == pytest.approx(1)
    assert str(tmp_path) not in json.dumps(found)


def test_splits_are_of_80_10_10_and_differ(tmp_path: Path, programs: Path) -> None:
    compare(tmp_path, programs, molecules(), "--target", "value", "--only", "chemprop")
    tables = [
        (tmp_path / "runs" / f"split-{seed}" / "molecules.csv").read_text().splitlines()[1:]
        for seed in range(5)
    ]
    for lines in tables:
        names = Counter(line.rsplit(",", 1)[1] for line in lines)
        assert names == {"train": 24, "val": 3, "test": 3}
    assert len({tuple(lines) for lines in tables}) == 5


def test_results_of_another_table_are_not_mixed_in(tmp_path: Path, programs: Path) -> None:
    options = ["--target", "value", "--only", "chemprop", "--splits", "0"]
    compare(tmp_path, programs, molecules(), *options)
    done = compare(tmp_path, programs, molecules("CCO,2.5,more\n"), *options)
    assert done.returncode != 0
    assert "other molecules or splits" in done.stderr
    assert (programs / "trainings").read_text().split() == ["0"]
