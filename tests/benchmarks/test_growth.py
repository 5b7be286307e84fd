import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "growth.py"


def test_both_curves_are_measured_and_fitted(tmp_path: Path) -> None:
    out = tmp_path / "growth.json"
    command = [sys.executable, str(SCRIPT), "--sizes", "2", "4", "--batch-size", "2"]
    done = subprocess.run(
        [*command, "--steps", "1", "--kernels", "torch", "--out", str(out)],
        check=True,
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["size", "2", "4", "~"]
    assert all(float(cell) for cell in lines[-1].split()[2:])
    assert '"exponents"' in out.read_text()
