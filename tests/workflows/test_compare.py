import json
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from argnp.cli.main import main
from argnp.errors import UserError
from argnp.workflows import compare
from argnp.workflows.begin import begun
from argnp.workflows.commands import Call
from argnp.workflows.compare import Model, compare_command, parse_models
from argnp.workflows.open_data import Opened, open_data
from argnp.workflows.pace import Budget
from argnp.workflows.settings import DataSettings


def test_models() -> None:
    assert parse_models("sgas*3, random*6,sgas-off*3,random+sgas,darts2") == [
        Model("sgas", "sgas", True, 3),
        Model("random", "random", True, 6),
        Model("sgas-off", "sgas", False, 3),
        Model("random+sgas", "random,sgas", True, 1),
        Model("darts2", "darts2", True, 1),
    ]


@pytest.mark.parametrize("text", ["", "sgas*", "SGAS", "sgas*x", "sgas,,random"])
def test_no_models(text: str) -> None:
    with pytest.raises(UserError, match="NAME, NAME-off or NAME"):
        parse_models(text)


def test_an_unknown_model() -> None:
    with pytest.raises(UserError, match="did you mean sgas"):
        parse_models("sgass*3")


def test_all_models_under_one_protocol(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = shlex.split(
        "compare cluster --graphs 12/6/6 --set data.recipe.largest=6 "
        "--models random*2,random-off*1 --size 2 --seeds 2 --epochs 2 --width 8 "
        "--batch-size 6 --kernels torch --quiet --json"
    )
    assert main([*command, "-o", str(tmp_path / "run")]) == 0
    told = capsys.readouterr().out
    rows = json.loads(told.splitlines()[-1])["rows"]
    assert [(r["model"], r["search"], r["seed"]) for r in rows] == [
        ("random", 0, 0), ("random", 0, 1), ("random", 1, 0), ("random", 1, 1),
        ("random-off", 0, 0), ("random-off", 0, 1),
    ]  # fmt: skip
    # Without relations the node stream is wider, to about as many weights.
    with_relations = sum(r["parameters"] for r in rows[:4]) / 4
    assert rows[4]["parameters"] == pytest.approx(with_relations, rel=0.15)
    assert rows == json.loads((tmp_path / "run" / "compare.json").read_text())["rows"]
    head = [part.strip() for part in told.splitlines()[0].split("  ") if part.strip()]
    assert head[:5] == [
        "model", "n", "test balanced_accuracy", "between architectures", "between seeds",
    ]  # fmt: skip
    assert told.splitlines()[1].count("±") == 4  # and of the validation
    assert told.splitlines()[2].count("±") == 3
    # The same command finds everything done, and says the same.
    assert main([*command, "-o", str(tmp_path / "run")]) == 0
    again = json.loads(capsys.readouterr().out.splitlines()[-1])["rows"]
    timeless = [{k: v for k, v in r.items() if "seconds" not in k} for r in rows]
    assert [{k: v for k, v in r.items() if "seconds" not in k} for r in again] == timeless


@pytest.mark.parametrize("words", ["--searches 3", "--strategy darts", "--ensemble 2"])
def test_what_models_say_is_not_said_twice(
    words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = f"compare cluster --graphs 12/6/6 --models random --size 2 {words}"
    assert main([*shlex.split(command), "-o", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"argnp: {words.split(maxsplit=1)[0]}: compare reads it from --models")
    assert told.count("\n") == 1


def test_relations_off_needs_its_twin(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = "compare cluster --graphs 12/6/6 --models random-off --size 2 --quiet"
    assert main([*shlex.split(command), "-o", str(tmp_path / "run")]) == 2
    assert "name random before it" in capsys.readouterr().err


QUICK = "--size 2 --epochs 1 --search-epochs 1 --width 8 --kernels torch --quiet"
GRAPHS = "compare cluster --graphs 12/6/6 --set data.recipe.largest=6 --batch-size 6"


def test_data_is_opened_once_with_and_once_without_relations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    def counted(data: DataSettings, seed: int, *, quiet: bool = True) -> Opened:
        opened.append(data.relations)
        return open_data(data, seed, quiet=quiet)

    monkeypatch.setattr(compare, "open_data", counted)
    models = "--models random,random-off,sgas,sgas-off"
    assert main([*shlex.split(f"{GRAPHS} {models} {QUICK}"), "-o", str(tmp_path / "run")]) == 0
    assert opened == ["auto", "off"]


def test_data_that_changes_in_between_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def changing(data: DataSettings, seed: int, *, quiet: bool = True) -> Opened:
        return open_data(data, seed + (data.relations == "off"), quiet=quiet)

    monkeypatch.setattr(compare, "open_data", changing)
    command = shlex.split(f"{GRAPHS} --models random,random-off {QUICK}")
    assert main([*command, "-o", str(tmp_path / "run")]) == 2
    assert "cluster: changed while it was read" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_resume_asks_for_a_run_and_goes_on_with_what_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ["-o", str(tmp_path / "run")]
    command = shlex.split(f"{GRAPHS} {QUICK}")
    assert main([*command, *run, "--models", "random,sgas", "--resume"]) == 2
    assert "holds no run to go on with; leave out --resume" in capsys.readouterr().err
    assert main([*command, *run, "--models", "random"]) == 0
    assert main([*command, *run, "--models", "random,sgas", "--resume"]) == 0


def test_opening_the_data_counts_for_the_time_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []

    def begins(*arguments: Any, began: float, **named: Any) -> Any:
        counted.append(time.monotonic() - began)
        return begun(*arguments, began=began, **named)

    monkeypatch.setattr(compare, "begun", begins)
    call = Call(
        {
            "data.data": "cluster",
            "data.graphs": "12/6/6",
            "data.recipe.largest": 6,
            "size": 2,
            "train.epochs": 1,
            "search.epochs": 1,
            "kernels": "torch",
        },
        output=tmp_path / "run",
        quiet=True,
        began=time.monotonic() - 100,
    )
    compare_command(call, parse_models("random,sgas"))
    assert counted == pytest.approx([50, 50], abs=10)


def test_rows_that_took_no_part_are_listed(tmp_path: Path) -> None:
    pytest.importorskip("rdkit")
    molecules = [f"{'C' * n}O,{n}" for n in range(1, 31)]
    (tmp_path / "table.csv").write_text("\n".join(["smiles,y", *molecules, "not,1", ""]))
    command = f"compare {tmp_path / 'table.csv'} --target y --models random {QUICK}"
    assert main([*shlex.split(command), "-o", str(tmp_path / "run")]) == 0
    assert "not" in (tmp_path / "run" / "random" / "rejected.csv").read_text()


def test_a_seed_that_there_was_no_time_for_has_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "skips", lambda self, labels: labels["seed"] == 1)
    command = shlex.split(
        "compare cluster --graphs 12/6/6 --set data.recipe.largest=6 --models random --size 2 "
        "--seeds 3 --epochs 2 --width 8 --batch-size 6 --kernels torch --quiet --json"
    )
    assert main([*command, "-o", str(tmp_path / "run")]) == 0
    rows = json.loads(capsys.readouterr().out.splitlines()[-1])["rows"]
    assert [row["seed"] for row in rows] == [0, 2]
