"""A search, and then the training of what it has found: each has a plan of its own."""

import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.workflows.commanded import done, events, refused

from argnp.cli.main import main

FLAGS = (
    "--graphs 12/6/6 --set data.recipe.largest=6 --size 4 --search-epochs 3 --epochs 3 "
    "--width 8 --batch-size 6 --kernels torch --quiet --json"
)


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searched") / "run"
    words = shlex.split(f"search cluster {FLAGS} --time-budget 5m -o {folder}")
    assert main(words) == 0
    return folder


@pytest.fixture
def copied(searched: Path, tmp_path: Path) -> Path:
    return shutil.copytree(searched, tmp_path / "run")


@pytest.mark.parametrize("command", ["train", "fit"])
def test_a_search_and_then_a_training_have_a_budget_each(
    copied: Path, capsys: Any, command: str
) -> None:
    more = {"train": f"{copied}", "fit": f"cluster {FLAGS} --time-budget 5m -o {copied}"}
    first = done(capsys, f"{command} {more[command]} --quiet --json")
    assert done(capsys, f"{command} {more[command]} --quiet --json") == first
    searching, training = events(copied, "plan")
    assert (searching["trains"], training["trains"]) == ("none", "every")
    assert {planned["epochs"] for planned in training["rounds"]} == {0}
    assert training["ensemble"] > 1
    assert not events(copied, "cut")


def test_both_plans_are_followed_in_turn(copied: Path, tmp_path: Path, capsys: Any) -> None:
    again = tmp_path / "again"
    done(capsys, f"search cluster {FLAGS} --plan {copied} -o {again}")
    told = refused(capsys, f"train {again} --quiet")
    assert "its plan is of a search alone, this command trains every size" in told
    first = done(capsys, f"train {copied} --quiet --json")
    same = done(capsys, f"train {again} --quiet --json")
    assert (same["test"], same["networks"]) == (first["test"], first["networks"])
    assert [e["run"] for e in events(again, "plan")] == [str(copied)] * 2
    # Together they are the plan of a fit.
    same = done(capsys, f"fit cluster {FLAGS} --plan {copied} -o {tmp_path / 'fitted'}")
    assert (same["test"], same["networks"]) == (first["test"], first["networks"])
    # That of a training alone is none.
    done(capsys, f"train {copied} --time-budget 5m --quiet --json -o {tmp_path / 'trained'}")
    more = f"--plan {tmp_path / 'trained'} -o {tmp_path / 'refused'}"
    told = refused(capsys, f"fit cluster {FLAGS} {more}")
    assert "does not search the round to 2 vertices" in told


@pytest.mark.parametrize("command", ["train", "fit"])
def test_a_search_that_has_not_ended_is_not_trained_in_part(
    copied: Path, capsys: Any, command: str
) -> None:
    (copied / "search/0/round-1/architecture.json").unlink()
    more = {"train": f"{copied}", "fit": f"cluster {FLAGS} --time-budget 5m -o {copied}"}
    told = refused(capsys, f"{command} {more[command]} --quiet")
    assert f"{copied}: the search there has not ended; run its own command again" in told


def test_every_search_has_to_have_found_something(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "run"
    done(capsys, f"search cluster {FLAGS} --strategy random --searches 2 -o {folder}")
    shutil.rmtree(folder / "search/1")
    told = refused(capsys, f"train {folder} --time-budget 5m --quiet -o {tmp_path / 'other'}")
    assert "a search there has not ended a round yet" in told


def test_a_damaged_plan_is_named(copied: Path, capsys: Any) -> None:
    journal = copied / "journal.jsonl"
    journal.write_text(journal.read_text().replace('"train_epochs":', '"train_epochs":"x","y":'))
    told = refused(capsys, f"train {copied} --quiet")
    assert f"{journal}: its plan is damaged" in told
