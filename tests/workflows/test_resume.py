"""Runs from end to end by the command line: once, again, after damage, on a full disk."""

import errno
import json
import os
import resource
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from argnp.cli.main import main
from argnp.differentiate.levels import Levels
from argnp.runs import files
from argnp.runs.journal import read_journal
from argnp.train.loop import Training

COMMAND = (
    "cluster --graphs 12/6/6 --set data.recipe.largest=6 --size 2 --search-epochs 4 --epochs 3 "
    "--width 8 --batch-size 6 --kernels torch --quiet --json"
)


def run(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str = "fit", more: str = ""
) -> dict[str, Any]:
    code = main([command, *shlex.split(f"{COMMAND} {more}"), "-o", str(folder)])
    told = capsys.readouterr()
    assert code == 0, told.err
    values: dict[str, Any] = json.loads(told.out.splitlines()[-1])
    return values


def found(values: dict[str, Any]) -> list[Any]:
    return [values["test"], values["validation"], values["size"], values["parameters"]]


def events(folder: Path, name: str) -> list[dict[str, Any]]:
    return [e for e in read_journal(folder / "journal.jsonl").events if e["event"] == name]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "run"
    assert main(["fit", *shlex.split(COMMAND), "-o", str(folder)]) == 0
    return folder


def test_the_folder_of_a_run(undisturbed: Path) -> None:
    for name in (
        "config.toml", "data.json", "journal.jsonl", "report.html", "model",
        "search/0/round-0/architecture.json", "train/0/size-2/seed-0/metrics.json",
    ):  # fmt: skip
        assert (undisturbed / name).exists(), name
    assert len(events(undisturbed, "search-epoch")) == 4
    assert len(events(undisturbed, "train-epoch")) == 3
    assert len(events(undisturbed, "test")) == 1
    assert events(undisturbed, "run-end")[0]["seconds"] > 0


def test_the_same_command_again_says_the_same(
    undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = run(tmp_path / "run", capsys)
    again = run(tmp_path / "run", capsys)
    assert again == fresh
    first = events(undisturbed, "test")[0]["metrics"]
    assert fresh["test"] == first
    assert len(events(tmp_path / "run", "train-epoch")) == 3


def test_another_seed_says_something_else(
    undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = run(tmp_path / "run", capsys, more="--seed 1")
    assert other["test"] != events(undisturbed, "test")[0]["metrics"]


def test_a_search_then_a_training_is_a_fit(
    undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    searched = run(tmp_path / "run", capsys, "search")
    assert [a["size"] for a in searched["architectures"]] == [2]
    assert not (tmp_path / "run" / "train").exists()
    assert main(["train", str(tmp_path / "run"), "--quiet", "--json"]) == 0
    values = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert values["test"] == events(undisturbed, "test")[0]["metrics"]


def test_a_given_architecture_is_trained_and_not_searched(
    undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = undisturbed / "search/0/round-0/architecture.json"
    run(tmp_path / "run", capsys, "train", f"--architecture {shlex.quote(str(file))}")
    assert events(tmp_path / "run", "round-start") == []
    kept = tmp_path / "run" / "search/0/round-0/architecture.json"
    assert kept.read_bytes() == file.read_bytes()
    (plan,) = events(tmp_path / "run", "plan")
    assert [(r["vertices"], r["epochs"]) for r in plan["rounds"]] == [(2, 0)]
    assert plan["reason"].startswith("no search, train each size for")
    # Nothing is searched, so nothing has to be halved.
    given = f"--architecture {shlex.quote(str(file))} --graphs 1/1/1"
    assert run(tmp_path / "one", capsys, "train", given)["size"] == 2


def test_a_budget_is_for_training_where_the_architecture_is_given(
    undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = undisturbed / "search/0/round-0/architecture.json"
    words = f"--architecture {shlex.quote(str(file))} --time-budget 10m"
    run(tmp_path / "run", capsys, "train", words)
    (plan,) = events(tmp_path / "run", "plan")
    assert plan["costs"]["search"] == [0.0]
    assert plan["costs"]["train"][0] > 0


def test_searches_and_seeds_are_spread_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    values = run(tmp_path / "run", capsys, more="--searches 2 --seeds 2 --strategy random")
    assert [(s["search"], s["seed"]) for s in values["sizes"]] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert len({s["validation"] for s in values["sizes"]}) > 1


@pytest.mark.parametrize("allowed", [3, 7, 11, 15, 19])
def test_a_full_disk_ends_the_run_and_freed_it_goes_on(
    undisturbed: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    allowed: int,
) -> None:
    sync, calls = files._sync, []

    def full(path: Path) -> None:
        calls.append(path)
        if len(calls) > allowed:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        sync(path)

    with monkeypatch.context() as patch:
        patch.setattr(files, "_sync", full)
        code = main(["fit", *shlex.split(COMMAND), "-o", str(tmp_path / "run")])
    told = capsys.readouterr().err
    if len(calls) <= allowed:
        pytest.fail(f"a run waits for the disk {len(calls)} times only: choose smaller numbers")
    assert code == 2
    assert "disk is full" in told
    assert told.count("\n") == 1
    assert run(tmp_path / "run", capsys)["test"] == events(undisturbed, "test")[0]["metrics"]


def test_what_the_system_does_not_write_ends_the_run_too(
    undisturbed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    room = 30_000  # bytes of a file: enough for settings and journal, too few for a checkpoint
    done = subprocess.run(
        [sys.executable, "-m", "argnp", "fit", *shlex.split(COMMAND), "-o", str(tmp_path / "run")],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "last.ckpt: cannot be written (File too large)" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list((tmp_path / "run").rglob(".part*"))
    assert run(tmp_path / "run", capsys)["test"] == events(undisturbed, "test")[0]["metrics"]


@pytest.mark.parametrize("budget", [6, 12])
def test_a_run_that_gets_slow_is_on_time(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    budget: int,
) -> None:
    step, learn = Levels._step, Training._learn

    def slow_step(self: Levels, *arguments: Any) -> Any:
        if events(tmp_path / "run", "round-start"):  # not while it is measured
            time.sleep(0.2)
        return step(self, *arguments)

    def slow_learn(self: Training, *arguments: Any) -> Any:
        if events(tmp_path / "run", "train-start"):
            time.sleep(0.3)
        return learn(self, *arguments)

    monkeypatch.setattr(Levels, "_step", slow_step)
    monkeypatch.setattr(Training, "_learn", slow_learn)
    more = f"--time-budget {budget}s --epochs 200 --search-epochs 60"
    began = time.monotonic()
    values = run(tmp_path / "run", capsys, more=more)
    taken = time.monotonic() - began
    assert taken < 1.1 * budget
    assert taken > 0.5 * budget
    assert values["test"]
    (plan,) = events(tmp_path / "run", "plan")
    cuts = events(tmp_path / "run", "cut")
    assert cuts
    # What begins has the epochs that were planned, and what ends early is said to.
    (start,) = events(tmp_path / "run", "round-start")
    assert start["epochs"] == plan["rounds"][0]["epochs"]
    assert all(
        start["epochs"] == plan["train_epochs"] for start in events(tmp_path / "run", "train-start")
    )
    # Run again it follows its journal: nothing is trained any more, and the result is the same.
    epochs = len(events(tmp_path / "run", "train-epoch"))
    assert run(tmp_path / "run", capsys, more=more) == values
    assert len(events(tmp_path / "run", "train-epoch")) == epochs
    # Where nothing is slow, its plan gives the same, cuts included.
    monkeypatch.setattr(Levels, "_step", step)
    monkeypatch.setattr(Training, "_learn", learn)
    again = more.replace(f"--time-budget {budget}s", f"--plan {tmp_path / 'run'}")
    same = run(tmp_path / "again", capsys, more=again)
    assert found(same) == found(values)
    assert {**same, "run": "", "sizes": 0} == {**values, "run": "", "sizes": 0}
    told = [[(e["search"], e.get("round"), e.get("size"), e.get("seed"), e["epochs"])
             for e in events(tmp_path / name, "cut")] for name in ("run", "again")]  # fmt: skip
    assert told[0] == told[1]
