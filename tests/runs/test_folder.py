"""The layout of a run folder is a contract."""

import subprocess
import sys
from pathlib import Path

import pytest

from argnp.errors import UserError
from argnp.runs.files import whole
from argnp.runs.folder import RunFolder


def test_layout() -> None:
    run = RunFolder(Path("runs/x"))
    assert [
        str(path.relative_to("runs/x"))
        for path in (
            run.config,
            run.journal,
            run.data,
            run.round(1, 2),
            run.architecture(1, 2),
            run.training(0, 8, 3),
            run.metrics(0, 8, 3),
            run.model,
            run.report,
        )
    ] == [
        "config.toml",
        "journal.jsonl",
        "data.json",
        "search/1/round-2",
        "search/1/round-2/architecture.json",
        "train/0/size-8/seed-3",
        "train/0/size-8/seed-3/metrics.json",
        "model",
        "report.html",
    ]


def test_locking_creates_it_keeps_others_out_and_sweeps(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "runs" / "x")
    with run.locked():
        with pytest.raises(UserError, match="in use by process"), run.locked():
            pass
        with whole(run.config) as part:
            part.write_bytes(b"x")
        left = part
        left.write_bytes(b"left by a killed process")
    with run.locked():
        assert not left.exists()
        assert run.config.read_bytes() == b"x"


@pytest.mark.parametrize("inside", ["", "deeper"])
def test_a_file_in_the_way_is_named(tmp_path: Path, inside: str) -> None:
    (tmp_path / "x").write_text("a file")
    run = RunFolder(tmp_path / "x" / inside)
    with pytest.raises(UserError, match="a file stands where the run folder should be"):
        run.locked().__enter__()


def test_run_folders_need_no_torch() -> None:
    script = """
import pkgutil, sys, importlib, argnp.runs
for module in pkgutil.iter_modules(argnp.runs.__path__):
    importlib.import_module(f"argnp.runs.{module.name}")
assert "torch" not in sys.modules and "numpy" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
