"""Kill -9 at random moments over search and training; the same command goes on as if never hit."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from argnp.runs.journal import read_journal

COMMAND = shlex.split(
    "fit cluster --graphs 12/6/6 --set data.recipe.largest=6 --size 4 --search-epochs 5 --epochs 4 "
    "--width 12 --batch-size 6 --kernels torch --seed 7"
)
VOLATILE = {"t", "seconds", "peak_bytes"}


def runs(kills: int, folder: Path, *more: str, apart: int = 12, seed: int = 1) -> dict[str, int]:
    script = Path(__file__).with_name("killing.py")
    numbers = map(str, (kills, apart, seed))
    done = subprocess.run(
        [sys.executable, str(script), *numbers, str(folder), *COMMAND, *more],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, int] = json.loads(done.stdout)
    return found


def outcome(folder: Path) -> dict[str, Any]:
    """Everything that a run found, down to the weights it hands over."""
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for pattern in (
            "search/*/*/architecture.json",
            "train/*/*/*/metrics.json",
            "model/*.safetensors",
            "model/architecture.json",
            "config.toml",
        )
        for path in folder.glob(pattern)
    }
    assert len(files) >= 6
    reading = read_journal(folder / "journal.jsonl")
    assert reading.warnings == ()
    events = {
        json.dumps({k: v for k, v in event.items() if k not in VOLATILE}, sort_keys=True)
        for event in reading.events
        if event["event"] not in ("run-start", "run-end")
    }
    return {"files": files, "events": events}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("undisturbed")
    (path,) = runs(0, folder)
    return outcome(Path(path))


def test_twenty_kills(undisturbed: dict[str, Any], tmp_path: Path) -> None:
    found = runs(20, tmp_path)
    assert sum(found.values()) == 20
    for path in found:
        assert outcome(Path(path)) == undisturbed
        assert not list(Path(path).rglob(".part*"))


def test_a_time_budget_and_six_kills_then_its_plan_undisturbed(tmp_path: Path) -> None:
    """The plan is measured anew by every process until one of them has written it down."""
    (path,) = runs(6, tmp_path / "killed", "--time-budget", "60s", apart=30, seed=1696)
    killed = Path(path)
    lines = [json.loads(line) for line in (killed / "journal.jsonl").read_bytes().splitlines()]
    names = [line["event"] for line in lines]
    assert names.count("run-start") == 7
    # The seed is one with the first kill while it measures, others over search and training.
    assert names[:2] == ["run-start", "run-start"]
    assert names.count("plan") == 1
    within = {names[index - 1] for index, name in enumerate(names) if name == "run-start"}
    assert within & {"search-epoch", "decision"}
    assert within & {"train-start", "train-epoch"}
    plan = next(line for line in lines if line["event"] == "plan")
    assert plan["seconds"] > 0
    assert plan["ensemble"] > 1

    (path,) = runs(0, tmp_path / "again", "--plan", str(killed))
    again, before = outcome(Path(path)), outcome(killed)
    for found in (again, before):
        del found["files"]["config.toml"]  # names the plan, or the budget
        found["events"] = {e for e in found["events"] if json.loads(e)["event"] != "plan"}
    assert again == before
