"""How fast the command line answers, and what it does not load to do so."""

import subprocess
import sys
import time
from statistics import median

import pytest

MARGIN = 3  # other work on the machine


def seconds(*command: str) -> float:
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return median(taken)


def test_help_answers_at_once() -> None:
    assert seconds("-m", "argnp", "--help") < 0.3 * MARGIN


def test_import_takes_no_time() -> None:
    bare = seconds("-c", "pass")
    assert seconds("-c", "import argnp") - bare < 0.1 * MARGIN


@pytest.mark.parametrize(
    "code",
    [
        "import argnp",
        "main(['--help'])",
        "main(['fit', '--help'])",
        "main(['compare', '--help'])",
        "main(['show', '--help'])",
        "main(['fit', 'data.csv', '--size', 'x'])",
    ],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    script = (
        "import sys\n"
        "from argnp.cli.main import main\n"
        f"try:\n    {code}\nexcept SystemExit:\n    pass\n"
        "heavy = {'torch', 'numpy', 'scipy', 'rich', 'rdkit'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
