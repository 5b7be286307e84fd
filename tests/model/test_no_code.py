"""A model folder is data: whatever else lies in it, nothing of it is run."""

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

NAMES = (
    *("__init__", "__main__", "model", "conftest", "sitecustomize", "usercustomize"),
    *("argnp", "torch", "safetensors", "msgspec", "architecture", "featurizer"),
)
PICKLES = (
    *("weights-0.pkl", "weights-0.pt", "weights-0.bin", "model.pkl", "data.pkl", "model.npy"),
    *("weights-0.safetensors.pkl", "pytorch_model.bin", "metrics.npz"),
)

# Loads once, so that all modules are there; then every opened file and imported or unpickled name
# is told. The audit hook sees them wherever they are asked for.
LOAD = """
import json, os, sys
from argnp.model.load import load_model
clean, planted = sys.argv[1:]
load_model(clean)
seen = []
def look(event, given):
    if event == "open" and str(given[0]).startswith(planted):
        seen.append(["open", os.path.basename(str(given[0]))])
    elif event in ("exec", "compile") and planted in str(given[-1]):
        seen.append([event, str(given[-1])])
    elif event == "pickle.find_class" or event == "import" and planted in str(given[1]):
        seen.append([event, str(given)])
sys.addaudithook(look)
model = load_model(planted)
print(json.dumps(seen))
"""


class Bomb:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.marker),)


@pytest.mark.parametrize("inside", [False, True])
def test_nothing_of_a_folder_is_run(packaged, package, tmp_path, inside):
    """``inside``: also where the folder is the one that modules are looked for in first."""
    clean = package(packaged.dataset, tmp_path / "clean").folder
    marker, folder = tmp_path / "ran", packaged.folder
    for name in NAMES:
        (folder / f"{name}.py").write_text(f"import os\nos.mkdir({str(marker)!r})\n")
    for name in PICKLES:
        (folder / name).write_bytes(pickle.dumps(Bomb(marker)))
    if inside:  # of these, Python itself takes the place: only what argnp names is in question
        for name in ("argnp", "torch", "safetensors", "msgspec", "sitecustomize", "usercustomize"):
            (folder / f"{name}.py").unlink()
    ran = subprocess.run(
        [sys.executable, "-c", LOAD, str(clean), str(folder)],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder if inside else tmp_path,
    )
    opened = {name for event, name in json.loads(ran.stdout) if event == "open"}
    assert {event for event, _ in json.loads(ran.stdout)} == {"open"}
    named = {"architecture.json", "model.json", "metrics.json", "checksums.json"}
    assert opened == named | {f"weights-{number}.safetensors" for number in range(3)}
    assert not marker.exists()
