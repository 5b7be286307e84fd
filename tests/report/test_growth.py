from pathlib import Path
from typing import Any

from argnp.report.growth import Growth, growth
from argnp.report.record import Record, read_record
from argnp.runs.folder import RunFolder
from argnp.runs.journal import read_journal


def record_of(run: Path) -> Record:
    return read_record(read_journal(RunFolder(run).journal).events, {})


def grown(run: Path) -> Growth:
    found = growth(record_of(run))
    assert found is not None
    return found


def test_three_rounds_from_the_first_to_the_last(make_run: Any) -> None:
    found = grown(make_run(8))
    assert list(found.pictures) == [
        f"round-{n}-{end}" for n in (1, 2, 3) for end in ("start", "end")
    ]
    assert found.frames[0].picture == "round-1-start"
    assert found.frames[-1].picture == "round-3-end"
    assert "vertices 2, 4, 6 and 8 are new" in next(
        frame.text for frame in found.frames if frame.picture == "round-3-start"
    )


def test_every_decision_has_its_frame_and_its_row(make_run: Any) -> None:
    run = make_run(8)
    found = grown(run)
    events = read_journal(RunFolder(run).journal).events
    decisions = [event for event in events if event["event"] == "decision"]
    assert len(found.decisions) == len(decisions)
    assert [row.operation for row in found.decisions] == [e["operation"] for e in decisions]
    told = [event["operation"] for event in decisions]
    fresh = [
        link["operation"]
        for frame in found.frames
        for link in frame.links.values()
        if link["state"] == "fresh"
    ]
    assert sorted(fresh) == sorted(told)
    assert all(row.share is not None for row in found.decisions)


def test_the_last_step_of_a_round_leaves_nothing_open(make_run: Any) -> None:
    run = make_run(4)
    found, record = grown(run), record_of(run)
    for number, entry in enumerate(record.rounds_of(0), start=1):
        last = [frame for frame in found.frames if frame.picture == f"round-{number}-start"][-1]
        assert entry.start is not None
        assert set(last.links) == {f"{p.space}-{p.vertex}-{p.link}" for p in entry.start.mixtures()}
        assert entry.end is not None
        kept = sum(link["state"] != "pruned" for link in last.links.values())
        before = sum(link.decided for _, link in entry.start.places())
        assert kept + before == len(list(entry.end.places()))


def test_bars_show_the_share_that_the_row_tells(make_run: Any) -> None:
    found = grown(make_run(4))
    chosen = [bars for frame in found.frames for bars in frame.bars if bars.chosen >= 0]
    assert len(chosen) == len(found.decisions)
    for bars, row in zip(chosen, found.decisions, strict=True):
        assert bars.title == row.link
        assert found.operations[bars.space][bars.chosen] == row.operation
        assert row.share is not None
        assert abs(bars.shares[bars.chosen] - row.share) < 1e-3


def test_a_round_that_is_going_on_has_no_end(make_run: Any) -> None:
    record = record_of(make_run(4))
    last = record.rounds[0, 1]
    last.end = None
    last.decisions = last.decisions[:2]
    found = growth(record)
    assert found is not None
    assert list(found.pictures)[-1] == "round-2-start"
    assert found.frames[-1].picture == "round-2-start"


def test_nothing_before_the_first_round() -> None:
    assert growth(read_record([], {})) is None
