import json
import shlex
from pathlib import Path

import pytest

from argnp.cli.main import main
from argnp.errors import UserError
from argnp.workflows.compare import Model, parse_models


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
