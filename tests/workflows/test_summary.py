import dataclasses
from types import SimpleNamespace
from typing import Any

import msgspec

from argnp.runs.folder import RunFolder
from argnp.workflows.fit import Fitted
from argnp.workflows.outcome import table
from argnp.workflows.summary import summarise
from argnp.workflows.units import Candidate


def candidate(size: int, value: float, search: int = 0, seed: int = 0) -> Candidate:
    return Candidate(
        architecture=SimpleNamespace(size=size),  # type: ignore[arg-type]
        network=None,  # type: ignore[arg-type]
        search=search,
        seed=seed,
        metrics={"mae": value},
        parameters=1000 * size,
        seconds=90.0,
    )


def summary(candidates: list[Candidate], best: int, folder: Any = None, budget: float = 0.0) -> Any:
    context: Any = SimpleNamespace(
        dataset=SimpleNamespace(metric="mae", splits={"test": range(7)}),
        folder=folder,
        settings=SimpleNamespace(time_budget=budget),
    )
    chosen = candidates[best]
    fitted = Fitted(
        candidates=candidates,
        chosen=[chosen],
        ensemble=False,
        validation=chosen.metrics,
        test={"mae": 0.25, "rmse": 0.5},
        tested=None,  # type: ignore[arg-type]
    )
    return summarise(context, fitted)


def test_a_table_of_sizes(tmp_path: Any) -> None:
    outcome = summary([candidate(2, 0.5), candidate(4, 0.25)], 1, RunFolder(tmp_path))
    lines = outcome.text.splitlines()
    assert lines[0].split() == ["size", "val", "mae", "weights", "training"]
    assert lines[1].split() == ["2", "0.5", "2,000", "1", "min", "30", "s"]
    assert lines[2].split() == ["4", "*", "0.25", "4,000", "1", "min", "30", "s"]
    assert lines[3].startswith("* chosen: the smallest network whose validation mae")
    assert lines[4] == "test (7 held out): mae 0.25, rmse 0.5"
    assert lines[5] == f"{tmp_path}: report.html, model/"
    assert len(lines) == 6
    timed = summary([candidate(2, 0.5)], 0, RunFolder(tmp_path), 60.0).text.splitlines()
    assert f"--plan {tmp_path} in place of a --time-budget" in timed[-1]
    assert msgspec.json.decode(msgspec.json.encode(outcome.values)) == outcome.values
    assert outcome.values["sizes"][0]["validation"] == 0.5
    assert (outcome.values["size"], outcome.values["run"]) == (4, str(tmp_path))


def test_several_trainings_are_spread_out() -> None:
    values = {(0, 0): 1.0, (0, 1): 2.0, (1, 0): 4.0, (1, 1): 6.0}
    candidates = [candidate(4, v, search, seed) for (search, seed), v in values.items()]
    lines = summary(candidates, 0).text.splitlines()
    head = [part.strip() for part in lines[0].split("  ") if part.strip()]
    assert head == [
        "size",
        "val mae",
        "between architectures",
        "between seeds",
        "weights",
        "training",
    ]
    assert lines[1].split()[:9] == ["4", "*", "3.25", "±", "2.2", "±", "2.3", "±", "1.1"]


def test_sizes_that_were_trained_once_stand_in_the_same_table() -> None:
    candidates = [candidate(2, 1.0), candidate(4, 1.0, 0), candidate(4, 3.0, 1)]
    lines = summary(candidates, 0).text.splitlines()
    assert lines[1].split() == ["2", "*", "1", "2,000", "1", "min", "30", "s"]
    assert lines[2].split()[:6] == ["4", "2", "±", "1.4", "±", "1.4"]
    assert lines[1].index(",000") == lines[2].index(",000")


def test_weights_are_the_mean_of_the_architectures() -> None:
    one, other = candidate(4, 1.0, 0), candidate(4, 3.0, 1)
    lines = summary([one, dataclasses.replace(other, parameters=5001)], 0).text.splitlines()
    assert "4,500" in lines[1]


def test_a_variant_that_won_and_an_ensemble_have_rows_of_their_own() -> None:
    base = [candidate(2, 0.5), candidate(4, 0.25)]
    narrow = [
        dataclasses.replace(candidate(4, value, 0, seed), variant="narrow", parameters=900)
        for seed, value in enumerate((0.2, 0.3))
    ]
    context: Any = SimpleNamespace(
        dataset=SimpleNamespace(metric="mae", splits={"test": range(7)}), folder=None
    )
    fitted = Fitted(base, narrow, True, {"mae": 0.15}, {"mae": 0.1}, None)  # type: ignore[arg-type]
    outcome = summarise(context, fitted)
    lines = [" ".join(line.split()) for line in outcome.text.splitlines()]
    assert lines[1:5] == [
        "2 0.5 2,000 1 min 30 s",
        "4 0.25 4,000 1 min 30 s",
        "4, narrow * 0.25 ± 0.071 900 1 min 30 s",
        "2 as one 0.15 1,800 3 min 0 s",
    ]
    assert outcome.values["parameters"] == 900


def test_columns() -> None:
    assert table(["a", "bb"], [["long", "1"], ["x", "200"]]) == "a      bb\nlong    1\nx     200"
