from pathlib import Path
from typing import Any

import pytest

from argnp.report.page import render
from argnp.report.record import Record, read_record
from argnp.runs.folder import RunFolder
from argnp.runs.journal import Journal, read_journal


def record_of(run: Path, data: dict[str, Any] | None = None) -> Record:
    return read_record(read_journal(RunFolder(run).journal).events, data or {})


def test_a_whole_run(make_run: Any) -> None:
    record = record_of(make_run(8, searches=2, seeds=2), {"task": "graph-regression"})
    assert record.searches == [0, 1]
    assert [entry.size for entry in record.rounds_of(1)] == [2, 4, 8]
    assert set(record.trainings) == {(a, n, s) for a in (0, 1) for n in (2, 4, 8) for s in (0, 1)}
    assert record.seconds == 287.0
    assert (record.metric, record.higher_is_better) == ("rmse", False)
    assert record.task == "graph-regression"
    assert record.about["command"] == ["argnp", "fit", "esol.csv", "--size", "8"]
    chosen = record.chosen_architecture()
    assert chosen is not None
    assert len(chosen) == 8
    assert chosen.decided
    assert record.warnings == []


def test_a_run_that_goes_on_is_not_finished(make_run: Any) -> None:
    run = make_run(2)
    events = list(read_journal(RunFolder(run).journal).events)
    started = next(event for event in events if event["event"] == "run-start")
    record = read_record([*events, started], {})
    assert record.seconds is None


def test_a_run_of_several_sessions_is_told_by_the_work_in_all_of_them(tmp_path: Path) -> None:
    labels = {"search": 0, "size": 2, "seed": 0}
    about = {"fingerprint": "8d1f", "kernels": "torch", "version": "0.1.0"}
    with Journal(tmp_path / "journal.jsonl") as journal:

        def session(epochs: list[int], seconds: float) -> None:
            journal.append("run-start", settings={"metric": "mae"}, **about)
            for epoch in epochs:
                facts = {"lr": 0.1, "train_loss": 1.0, "val_loss": 1.0, "val_metric": 1.0}
                journal.append("train-epoch", **labels, epoch=epoch, seconds=100.0, **facts)
            journal.append("run-end", seconds=seconds)

        session([0, 1, 2], 320.0)
        assert record_of(tmp_path).went_on is False
        assert "Complete, in 5 min" in render(tmp_path)
        session([2, 3], 210.0)
    record = record_of(tmp_path)
    assert (record.went_on, record.worked) == (True, 400.0)
    told = "Complete, in several sessions, with 7 min of searching and training"
    assert told in render(tmp_path)


def test_the_empty_journal() -> None:
    record = read_record([], {})
    assert record.metric == ""
    assert record.chosen_search is None
    assert record.chosen_architecture() is None


@pytest.mark.parametrize(
    "event",
    [
        {"event": "round-start", "t": 1.0, "search": 0},
        {"event": "train-end", "t": 1.0, "search": 0, "size": "x", "seed": 0},
        {
            "event": "round-end",
            "t": 1.0,
            "search": 0,
            "round": 0,
            "size": 2,
            "architecture": {"schema": 7},
        },
    ],
)
def test_an_event_that_makes_no_sense_is_a_warning(event: dict[str, Any]) -> None:
    record = read_record([event], {})
    assert len(record.warnings) == 1
    assert event["event"] in record.warnings[0]


def test_the_metric_and_its_direction_are_found_where_they_stand() -> None:
    tested = {"event": "test", "t": 1.0, "search": 0, "size": 2, "seed": 0, "metrics": {"r2": 0.5}}
    assert read_record([tested], {}).metric == "r2"
    assert read_record([tested], {"metric": "mae"}).metric == "mae"
    assert read_record([], {"metric": "mae"}).higher_is_better is False
    assert read_record([], {"metric": "accuracy"}).higher_is_better is True
