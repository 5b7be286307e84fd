"""The plan of one run, followed by another: the same epochs and cuts, and no clock."""

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.workflows.commanded import done, events, refused

import argnp
from argnp.cli.main import main
from argnp.errors import UserError

COMMAND = (
    "fit cluster --graphs 12/6/6 --set data.recipe.largest=6 --size 4 --search-epochs 3 --epochs 3 "
    "--width 8 --batch-size 6 --kernels torch --quiet --json"
)
BUDGET = "--time-budget 10m --ensemble 2 --set tune=false"


def run(folder: Path, capsys: Any, more: str, command: str = COMMAND) -> dict[str, Any]:
    values = done(capsys, f"{command} {more} -o {shlex.quote(str(folder))}")
    return {**values, "run": "", "sizes": [{**one, "seconds": 0} for one in values["sizes"]]}


def edited(folder: Path, to: Path, changes: dict[str, Any], *more: dict[str, Any]) -> Path:
    """The run with another plan, and with events that it has not had."""
    shutil.copytree(folder, to)
    journal = to / "journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    lines = [{**e, **changes} if e["event"] == "plan" else e for e in lines] + list(more)
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return to


@pytest.fixture(scope="module")
def budgeted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("budgeted") / "run"
    assert main([*shlex.split(f"{COMMAND} {BUDGET}"), "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def short(budgeted: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As if the time had been for fewer epochs, and the clock had cut two trainings."""
    (plan,) = events(budgeted, "plan")
    return edited(
        budgeted,
        tmp_path_factory.mktemp("short") / "run",
        {"train_epochs": 2, "rounds": [{**r, "epochs": 2} for r in plan["rounds"]]},
        {"event": "cut", "t": 0.0, "search": 0, "size": 4, "seed": 0, "epochs": 1, "reason": "r"},
        {"event": "cut", "t": 0.0, "search": 0, "size": 2, "seed": 1, "epochs": 0, "reason": "r"},
        {"event": "cut", "t": 0.0, "search": 0, "size": 4, "seed": 1, "epochs": 0, "reason": "r"},
    )


def test_the_same_epochs_the_same_cuts_the_same_numbers(
    short: Path, tmp_path: Path, capsys: Any
) -> None:
    values = run(tmp_path / "run", capsys, f"--plan {short} --ensemble 2 --set tune=false")
    (plan,) = events(tmp_path / "run", "plan")
    assert plan["run"] == str(short)
    assert plan["reason"].endswith(f"the plan of {short}")
    assert len(events(tmp_path / "run", "search-epoch")) == 2 + 2
    assert len(events(tmp_path / "run", "train-epoch")) == 2 + 1
    assert [cut["epochs"] for cut in events(tmp_path / "run", "cut")] == [1, 0]
    # An ensemble of what is there is the chosen network alone.
    assert values["networks"] == 1
    assert len(argnp.load(tmp_path / "run").networks) == 1
    # A run that goes on has the plan in its own journal, and one that takes it over from there.
    hidden = short.rename(short.with_name("hidden"))
    more = f"--plan {short} --ensemble 2 --set tune=false"
    assert run(tmp_path / "run", capsys, more) == values
    third = f"--plan {tmp_path / 'run'} --ensemble 2 --set tune=false"
    assert run(tmp_path / "third", capsys, third) == values
    hidden.rename(short)


def test_what_a_budget_made_is_made_again(budgeted: Path, tmp_path: Path, capsys: Any) -> None:
    first = run(budgeted, capsys, BUDGET)
    assert first["networks"] == 2
    more = f"--plan {budgeted / 'model'} --ensemble 2 --set tune=false"
    assert run(tmp_path / "run", capsys, more) == first
    # A flag for a plan takes the place of the budget in a file, and the other way round.
    config = f"fit cluster --quiet --json --config {budgeted / 'config.toml'}"
    assert run(tmp_path / "file", capsys, f"--plan {budgeted}", config) == first
    config = f"fit cluster --quiet --json --config {tmp_path / 'file' / 'config.toml'}"
    assert run(tmp_path / "back", capsys, "--time-budget 10m", config)["networks"] == 2


def test_the_search_of_a_fit_alone_and_its_training_alone(
    budgeted: Path, tmp_path: Path, capsys: Any
) -> None:
    command = COMMAND.replace("fit", "search", 1)
    words = shlex.split(f"{command} --plan {budgeted} --ensemble 2 --set tune=false")
    assert main([*words, "-o", str(tmp_path / "searched")]) == 0
    for number in (0, 1):
        name = f"search/0/round-{number}/architecture.json"
        assert (tmp_path / "searched" / name).read_bytes() == (budgeted / name).read_bytes()
    capsys.readouterr()
    trained = run(tmp_path / "trained", capsys, f"--plan {budgeted}", f"train {budgeted} --json")
    assert trained == run(budgeted, capsys, BUDGET)
    assert not events(tmp_path / "trained", "search-epoch")


def test_the_library_takes_a_plan(budgeted: Path, capsys: Any) -> None:
    options = {"graphs": "12/6/6", "data__recipe__largest": 6, "size": 4, "search_epochs": 3}
    options |= {"epochs": 3, "width": 8, "batch_size": 6, "kernels": "torch", "quiet": True}
    result = argnp.fit("cluster", plan=budgeted, ensemble=2, tune=False, **options)
    first = run(budgeted, capsys, BUDGET)
    assert result.metrics == first["test"]
    assert result.validation == first["validation"]
    with pytest.raises(UserError, match="--plan and --time-budget: a plan says all epochs"):
        argnp.fit("cluster", plan=budgeted, time_budget="5m", **options)


def test_comparisons_follow_the_plans_of_their_models(tmp_path: Path, capsys: Any) -> None:
    command = COMMAND.replace("fit", "compare", 1) + " --models random,sgas --size 2"
    assert main([*shlex.split(f"{command} --time-budget 4m"), "-o", str(tmp_path / "a")]) == 0
    more = f"{command} --plan {tmp_path / 'a'}"
    assert main([*shlex.split(more), "-o", str(tmp_path / "b")]) == 0
    first, second = (
        json.loads((tmp_path / name / "compare.json").read_text())["rows"] for name in "ab"
    )
    capsys.readouterr()
    assert [row["test"] for row in first] == [row["test"] for row in second]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("--time-budget 5m", "--plan and --time-budget: a plan says all epochs itself"),
        ("--size 8", "size is 4 there and 8 here; give the settings of that run too"),
        ("--seeds 2", "seeds is 1 there and 2 here"),
        ("--start-size 1", "lead to 2, 4 vertices, those of these settings to 1, 2, 4"),
        ("--strategy random,sgas", "it searches by sgas, these settings by random"),
        ("--search-epochs 2", "epochs, these settings in 2 at most"),
        ("--epochs 2", "it trains for 3 epochs, these settings for 2 at most"),
        ("--ensemble 0", "ensemble is 2 there and 0 here"),
    ],
)
def test_a_plan_that_does_not_fit_is_refused(
    budgeted: Path, tmp_path: Path, capsys: Any, more: str, told: str
) -> None:
    said = refused(capsys, f"{COMMAND} --plan {budgeted} --ensemble 2 {more} -o {tmp_path / 'run'}")
    assert told in said
    # The folder is free for what fits.
    assert not (tmp_path / "run" / "config.toml").exists()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rounds": "many"}, "its plan is damaged: Expected `array`"),
        ({"rounds": []}, "its rounds lead to no vertices"),
        ({"train_epochs": 0}, "it trains for 0 epochs"),
        ({"variants": ["huge"]}, "it trains the variant huge, which these settings do not"),
        ({"trains": "none"}, "its plan is of a search alone, this command trains every size"),
        ({"event": "warning", "text": ""}, "no plan in its journal"),
    ],
)
def test_a_plan_that_is_none_is_refused(
    budgeted: Path, tmp_path: Path, capsys: Any, changes: dict[str, Any], told: str
) -> None:
    other = edited(budgeted, tmp_path / "other", changes)
    assert told in refused(capsys, f"{COMMAND} --plan {other} --ensemble 2 -o {tmp_path / 'run'}")


def test_a_run_that_has_not_ended_may_still_be_cut(
    budgeted: Path, tmp_path: Path, capsys: Any
) -> None:
    other = edited(budgeted, tmp_path / "other", {})
    journal = other / "journal.jsonl"
    kept = [line for line in journal.read_text().splitlines() if '"run-end"' not in line]
    journal.write_text("\n".join(kept) + "\n")
    assert "has not ended, so its plan may still be cut" in refused(
        capsys, f"{COMMAND} --plan {other} -o {tmp_path / 'run'}"
    )


def test_a_training_under_way_in_the_folder_of_a_search_has_not_ended(
    budgeted: Path, tmp_path: Path, capsys: Any
) -> None:
    (plan,) = events(budgeted, "plan")
    other = edited(budgeted, tmp_path / "other", {"trains": "none"}, plan)
    told = refused(capsys, f"{COMMAND} --plan {other} -o {tmp_path / 'run'}")
    assert "has not ended, so its plan may still be cut" in told


def test_a_folder_that_is_none_is_refused(budgeted: Path, tmp_path: Path, capsys: Any) -> None:
    for nowhere in (tmp_path / "nowhere", budgeted / "nowhere"):
        told = refused(capsys, f"{COMMAND} --plan {nowhere} -o {tmp_path / 'run'}")
        assert "no run there; name the folder of a run" in told
