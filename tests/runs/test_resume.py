"""A run goes on only as the run it was."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from argnp.errors import UserError
from argnp.runs.folder import RunFolder
from argnp.runs.resume import begin_or_resume

SETTINGS: dict[str, Any] = {
    "size": 4,
    "relations": "auto",
    "splits": (0.8, 0.1, 0.1),
    "time_budget": None,
    "train": {"lr": 0.001, "epochs": 10},
    "output": {"quiet": False, "json": False},
}
DATA: dict[str, Any] = {"name": "cluster", "graphs": 100, "fingerprint": "abc"}


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder(tmp_path)
    assert begin_or_resume(folder, SETTINGS, DATA) is False
    return folder


def refusal(run: RunFolder, settings: dict[str, Any], data: dict[str, Any]) -> str:
    before = run.config.read_bytes(), run.data.read_bytes()
    with pytest.raises(UserError) as caught:
        begin_or_resume(run, settings, data)
    assert (run.config.read_bytes(), run.data.read_bytes()) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_same_goes_on(run: RunFolder) -> None:
    assert begin_or_resume(run, SETTINGS, DATA) is True
    assert msgspec.json.decode(run.data.read_bytes()) == DATA


def test_other_settings_are_named_old_and_new(run: RunFolder) -> None:
    other = {**SETTINGS, "size": 8, "train": {"lr": 0.01, "epochs": 10}, "time_budget": "30m"}
    text = refusal(run, other, DATA)
    expected = "other settings: size: 4 -> 8, time_budget: not set -> 30m, train.lr: 0.001 -> 0.01;"
    assert expected in text
    assert "choose another folder with -o" in text


def test_many_differences_are_counted(run: RunFolder) -> None:
    assert ", and 2 more;" in refusal(run, {"size": 4, "relations": "auto"}, DATA)


def test_a_setting_that_went_away_is_named(run: RunFolder) -> None:
    fewer = {key: value for key, value in SETTINGS.items() if key != "relations"}
    assert "relations: auto -> not set" in refusal(run, fewer, DATA)


def test_lists_booleans_and_a_table_in_place_of_a_value(run: RunFolder) -> None:
    assert "splits: [0.8, 0.1, 0.1] -> [0.7, 0.2, 0.1]" in refusal(
        run, {**SETTINGS, "splits": [0.7, 0.2, 0.1]}, DATA
    )
    assert "output.json: False -> 0" in refusal(
        run, {**SETTINGS, "output": {"quiet": False, "json": 0}}, DATA
    )
    assert "'epochs': 10} -> 5" in refusal(run, {**SETTINGS, "train": 5}, DATA)
    assert "train.epochs: 10 -> not set" in refusal(run, {**SETTINGS, "train": None}, DATA)


def test_a_value_that_became_a_table_is_a_difference(run: RunFolder) -> None:
    assert "size: 4 -> {}" in refusal(run, {**SETTINGS, "size": {}}, DATA)


def test_settings_that_may_change_are_left_alone(run: RunFolder) -> None:
    louder = {**SETTINGS, "size": 8, "output": {"quiet": True, "json": False}}
    assert begin_or_resume(run, louder, DATA, ignore=("output", "size"))
    assert begin_or_resume(run, louder, DATA, ignore=("output.quiet", "size"))


def test_other_data_is_named_by_what_a_reader_knows(run: RunFolder) -> None:
    text = refusal(run, SETTINGS, {**DATA, "graphs": 120, "fingerprint": "def"})
    assert "other data: graphs: 100 -> 120, fingerprint: abc -> def;" in text
    assert "fingerprint: abc -> def" in refusal(run, SETTINGS, {**DATA, "fingerprint": "def"})


def test_only_the_fingerprint_decides_about_data(run: RunFolder) -> None:
    assert begin_or_resume(run, SETTINGS, {**DATA, "note": "read from elsewhere"})


def test_killed_before_the_settings_were_written_it_begins_anew(run: RunFolder) -> None:
    run.config.unlink()
    assert begin_or_resume(run, SETTINGS, {**DATA, "fingerprint": "def"}) is False
    assert begin_or_resume(run, SETTINGS, {**DATA, "fingerprint": "def"}) is True


@pytest.mark.parametrize(
    ("which", "damage"),
    [(which, damage) for which in ("config", "data") for damage in ("size = = 4", "\udcff", "{")]
    + [("data", "[1]")],
)
def test_a_damaged_file_is_named(run: RunFolder, which: str, damage: str) -> None:
    path: Path = getattr(run, which)
    path.write_bytes(damage.encode(errors="surrogateescape"))
    text = refusal(run, SETTINGS, DATA)
    assert f"{path}: damaged (" in text


def test_a_lost_data_file_is_named(run: RunFolder) -> None:
    run.data.unlink()
    with pytest.raises(UserError, match=r"data.json: damaged \(.*No such file"):
        begin_or_resume(run, SETTINGS, DATA)
