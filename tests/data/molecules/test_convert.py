import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from argnp.data.molecules import convert as module
from argnp.data.molecules.convert import convert
from argnp.data.molecules.converted import Converted
from argnp.data.molecules.featurize import featurize
from argnp.data.molecules.featurizer import BY_NAME
from argnp.data.molecules.messages import send
from argnp.data.molecules.worker import Settings
from argnp.errors import UserError

RICH = BY_NAME["rich"]
SMILES = ["C" * (1 + i % 7) + ("O", "N", "=O", "(", "")[i % 5] for i in range(1300)]


def same(one: Converted, other: Converted) -> None:
    assert one.rejected == other.rejected
    for name in ("atoms", "bonds", "ends", "atom_codes", "bond_codes", "places", "keys"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_change_nothing(workers: int) -> None:
    told: list[tuple[int, int]] = []
    converted = convert(
        SMILES,
        RICH,
        workers=workers,
        scaffolds=True,
        progress=lambda done, total: told.append((done, total)),
    )
    whole = featurize(SMILES, RICH, scaffolds=True)
    same(converted, whole)
    np.testing.assert_array_equal(converted.scaffolds, whole.scaffolds)
    assert told == [(512, 1300), (1024, 1300), (1300, 1300)]


@pytest.mark.parametrize("workers", [1, 2])
def test_it_stops_at_the_first_bad_one_when_asked(workers: int) -> None:
    smiles = ["C"] * 700 + ["bad"] + ["C"] * 900 + ["worse"]
    converted = convert(smiles, RICH, workers=workers, stop_at_first=True)
    assert [place for place, _ in converted.rejected] == [700]


def test_no_molecules_at_all() -> None:
    assert len(convert([], RICH).atoms) == 0


def test_a_worker_that_dies_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WORKER", [sys.executable, "-c", "raise SystemExit(9)"])
    with pytest.raises(UserError, match=r"ended early \(code 9\)"):
        convert(SMILES, RICH, workers=2)


def test_take_keeps_whole_molecules() -> None:
    converted = featurize(["CC", "O", "CCO", "N"], RICH, scaffolds=True)
    kept = converted.take(np.array([False, True, True, False]))
    expected = featurize(["O", "CCO"], RICH)
    for name in ("atoms", "bonds", "ends", "atom_codes", "bond_codes", "keys"):
        np.testing.assert_array_equal(getattr(kept, name), getattr(expected, name))
    assert kept.places.tolist() == [1, 2]
    assert len(kept.scaffolds) == 2


def test_a_script_needs_no_guard_and_no_torch(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "from argnp.data.molecules.convert import convert\n"
        "from argnp.data.molecules.featurizer import featurizer_called\n"
        "converted = convert(['CCO'] * 1200, featurizer_called('rich'), workers=2)\n"
        "print(len(converted.atoms), 'torch' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("1200 False\n", "")


def test_a_worker_leaves_quietly_when_nobody_listens() -> None:
    worker = subprocess.Popen(
        module._WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    worker.stdout.close()
    send(worker.stdin, msgspec.json.encode(Settings(RICH, False, False)))
    send(worker.stdin, msgspec.json.encode(["C"]))
    assert worker.wait(timeout=60) == 1
    assert worker.stderr.read() == b""
    worker.stdin.close()
    worker.stderr.close()
