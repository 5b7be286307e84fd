import errno
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from argnp import __version__
from argnp.cli import main as module
from argnp.cli.main import COMMANDS, main
from argnp.errors import UserError


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stands in for ``argnp report``."""
    made = SimpleNamespace(add_arguments=lambda parser: None, run=lambda arguments: None)
    monkeypatch.setattr(module, "import_module", lambda name: made)
    return made


def raises(command: SimpleNamespace, error: BaseException) -> int:
    def run(arguments: Any) -> None:
        raise error

    command.run = run
    return main(["report"])


def test_done(command: SimpleNamespace) -> None:
    assert main(["report"]) == 0


def test_a_users_error_is_one_line(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert raises(command, UserError("x.csv, row 3: bad\nvery bad")) == 2
    assert capsys.readouterr().err == "argnp: x.csv, row 3: bad very bad\n"


def test_a_full_disk_is_the_users_to_mend(
    command: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert raises(command, OSError(errno.ENOSPC, "No space left on device", "out.csv")) == 2
    assert capsys.readouterr().err == (
        "argnp: out.csv: the disk is full; free some space and run the same command again\n"
    )


def test_other_errors_are_bugs_and_show_where(command: SimpleNamespace) -> None:
    with pytest.raises(OSError, match="odd"):
        raises(command, OSError(errno.EIO, "odd"))
    with pytest.raises(ZeroDivisionError):
        raises(command, ZeroDivisionError())


def test_interrupted(command: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    assert raises(command, KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == ("argnp: interrupted; the same command begins anew\n")


def test_a_closed_pipe_is_no_error(command: SimpleNamespace) -> None:
    assert raises(command, BrokenPipeError()) == 0


def test_commands_know_when_they_began(command: SimpleNamespace) -> None:
    seen = []
    command.run = lambda arguments: seen.append(arguments.began)
    main(["report"])
    main(["report"])
    assert 0 < seen[0] < seen[1]


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for flag, expected in (("--version", f"argnp {__version__}\n"), ("--help", "usage: argnp")):
        with pytest.raises(SystemExit) as left:
            main([flag])
        assert left.value.code == 0
        assert capsys.readouterr().out.startswith(expected)


def test_every_command_has_a_module_and_says_what_it_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, told in COMMANDS.items():
        file = Path(module.__file__).with_name(f"{name}.py")
        assert file.exists(), name
        with pytest.raises(SystemExit) as left:
            main([name, "--help"])
        assert left.value.code == 0
        assert " ".join(told.split()) in " ".join(capsys.readouterr().out.split())


BAD = {
    "no command": ([], "COMMAND is missing, as in `argnp fit DATA`; `argnp --help` tells"),
    "unknown command": (["fitt", "x"], "invalid choice: 'fitt'"),
    "no data": (["fit"], "DATA"),
    "no number": (["fit", "cluster", "--size", "abc"], "invalid int value: 'abc'"),
    "no such flag": (["fit", "cluster", "--sizes", "4"], "did you mean --size?"),
    "no such choice": (["fit", "cluster", "--recipe", "papers"], "invalid choice: 'papers'"),
}


@pytest.mark.parametrize("name", list(BAD))
def test_what_the_parser_refuses_is_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, expected = BAD[name]
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("argnp: ")
    assert expected in told


SMALL = shlex.split("--graphs 12/6/6 --set data.recipe.largest=6 --kernels torch --quiet")
WRONG = {
    "a size of nothing": (["--size", "0"], "setting size: Expected `int` >= 1"),
    "no cells": (["--cells", "0"], "setting space.cells: Expected `int` >= 1"),
    "no epochs": (["--epochs", "0"], "setting train.epochs"),
    "no batch": (["--batch-size", "-3"], "batch_size: Expected `int` >= 0"),
    "no rate": (["--lr", "0"], "setting train.lr: Expected `float` > 0.0"),
    "uneven cells": (["--size", "5", "--cells", "2"], "take a size of 4"),
    "unknown strategy": (["--strategy", "sgass"], "strategy 'sgass': did you mean sgas?"),
    "unknown setting": (["--set", "train.clipp=1"], "did you mean train.clip?"),
    "unknown table": (["--set", "trian.clip=1"], "did you mean train?"),
    "setting below a value": (["--set", "size.x=1"], "setting size"),
    "value for a table": (["--set", "data=3"], "setting data"),
    "odd recipe": (["--set", "recipe.x=3"], "there are paper, modern"),
    "no assignment": (["--set", "train.clip"], "NAME=VALUE is expected"),
    "unknown operation": (["--set", 'space.node_operations=["V_SUMM"]'], "'V_SUMM' is unknown"),
    "doubled operation": (["--set", 'space.node_operations=["V_SUM","V_SUM"]'], "stands twice"),
    "no such loss": (["--set", "train.loss=l7"], "loss l7: does not fit node-classification"),
    "no such device": (["--device", "abacus"], "--device abacus"),
    "bad duration": (["--time-budget", "soon"], "--time-budget soon: a duration is expected"),
    "bad count": (["--params", "many"], "--params many: a number of weights"),
    "bad encoding": (["--pe", "lap"], "--pe lap: lap:K, rwse:K, none or auto"),
    "no such config": (["--config", "nowhere.toml"], "nowhere.toml: No such file"),
    "one graph to train on": (["--graphs", "1/1/1"], "a search needs 2"),
    "nothing to resume": (["--resume"], "holds no run to go on with"),
}


@pytest.mark.parametrize("name", list(WRONG))
def test_what_a_run_refuses_is_one_line_and_leaves_no_run(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, expected = WRONG[name]
    folder = tmp_path / "run"
    assert main(["fit", "cluster", *SMALL, *arguments, "-o", str(folder)]) == 2
    told = capsys.readouterr().err
    assert expected in told
    assert told.count("\n") == 1
    assert not (folder / "config.toml").exists()


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "nowhere.csv"]) == 2
    assert capsys.readouterr().err == "argnp: nowhere.csv: no such file\n"


def test_a_folder_with_another_run_says_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["search", "cluster", *SMALL, "--strategy", "random", "-o", str(tmp_path / "run")]
    assert main([*command, "--size", "2"]) == 0
    capsys.readouterr()
    assert main([*command, "--size", "3"]) == 2
    told = capsys.readouterr().err
    assert "holds a run with other settings: size: 2 -> 3;" in told
    assert told.count("\n") == 1
    assert main([*command, "--size", "2", "--seed", "1"]) == 2
    assert "seed: 0 -> 1" in capsys.readouterr().err
    other = [part.replace("12/6/6", "13/6/6") for part in command]
    assert main([*other, "--size", "2"]) == 2
    assert "12/6/6 -> 13/6/6" in capsys.readouterr().err


def test_the_console_script_is_this_function() -> None:
    assert sys.modules["argnp.cli.main"].main is main
