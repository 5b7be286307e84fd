import io
from typing import Any

import pytest

from argnp.runs.events import FIELDS
from argnp.workflows import console as module
from argnp.workflows.console import NEWS, Plain, Quiet, console, duration
from argnp.workflows.live import Live
from argnp.workflows.observer import RunObserver


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (3599, "59 min"),
     (3600, "1 h 0 min"), (7500, "2 h 5 min")],
)  # fmt: skip
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_plain_lines_come_now_and_then_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    stream = io.StringIO()
    plain = Plain(stream, every=5.0)
    for epoch in range(1, 11):
        plain.progress("training", epoch, 10, left=200.0 - 2 * epoch, loss=1 / epoch)
        now[0] += 2.0
    assert stream.getvalue().splitlines() == [
        "training: epoch 1/10, loss 1, the run: about 3 min 18 s left",
        "training: epoch 4/10, loss 0.25, 12 s left, the run: about 3 min 12 s left",
        "training: epoch 7/10, loss 0.1429, 6 s left, the run: about 3 min 6 s left",
        "training: epoch 10/10, loss 0.1, the run: about 3 min 0 s left",
    ]


def test_a_name_that_comes_again_is_timed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    stream = io.StringIO()
    plain = Plain(stream, every=0.0)
    for _ in range(2):
        for epoch in (1, 2, 3):
            plain.progress("training", epoch, 3, loss=1.0)
            now[0] += 2.0
        now[0] += 1000.0
    lines = stream.getvalue().splitlines()
    assert lines[1] == lines[4] == "training: epoch 2/3, loss 1, 2 s left"


def test_without_an_estimate_none_is_shown() -> None:
    stream = io.StringIO()
    Plain(stream, every=0).progress("training", 1, 2, loss=1.0)
    assert stream.getvalue() == "training: epoch 1/2, loss 1\n"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The narrowest that is in use."""
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("terminal")
def test_bars(capsys: pytest.CaptureFixture[str]) -> None:
    live = Live()
    try:
        live.progress("search [0]", 1, 2, left=90.0, loss=0.5)
        (task,) = live.bars.tasks
        assert (task.completed, task.total) == (1, 2)
        assert task.fields["shown"] == "loss 0.5, the run: about 1 min 30 s left"
        live.progress("search [0]", 2, 2, loss=0.25)
        assert not live.bars.tasks
        live.progress("search [0]", 1, 3, loss=0.5)
        assert [task.total for task in live.bars.tasks] == [3]
        live.line("news [of] sorts")
    finally:
        live.close()
    told = capsys.readouterr().err
    assert "search [0]: 2 epochs, loss 0.25" in told
    assert "news [of] sorts" in told


@pytest.mark.usefixtures("terminal")
def test_a_narrow_terminal_shows_epoch_and_metric(capsys: pytest.CaptureFixture[str]) -> None:
    live = Live()
    try:
        what = "training search 0, size 16, seed 0"
        live.progress(what, 0, 400)
        shown = {"loss": 1.911, "balanced_accuracy": 0.1667, "best": 0.1667}
        live.progress(what, 123, 400, left=750.0, **shown)
        with live.bars.console.capture() as captured:
            for part in live.bars.get_renderables():
                live.bars.console.print(part)
    finally:
        live.close()
    capsys.readouterr()
    first, second = captured.get().splitlines()
    assert first.startswith(what)
    assert "123/400" in first
    assert second.strip() == (
        "loss 1.911, balanced_accuracy 0.1667, best 0.1667, the run: about 12 min left"
    )


def test_which_console(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(console(quiet=True), Quiet)
    assert isinstance(console(quiet=False), Plain)
    monkeypatch.setattr(module.sys.stderr, "isatty", lambda: True, raising=False)
    live = console(quiet=False)
    live.close()
    assert isinstance(live, Live)


def test_decisions_are_news() -> None:
    stream = io.StringIO()
    observer = RunObserver(Plain(stream))
    fields: dict[str, Any] = {
        "search": 0, "round": 1, "epoch": 15, "space": "relation", "vertex": 3, "link": 0,
        "source": -1, "operation": "E_HAD", "score": 0.5,
    }  # fmt: skip
    observer.event("decision", **fields)
    observer.event("decision", **{**fields, "space": "node", "source": 2, "operation": "V_SUM"})
    observer.event("warning", text="watch out")
    started = {"search": 0, "round": 1, "size": 4, "epochs": 25, "strategy": "sgas"}
    observer.event("round-start", **started)
    observer.event("round-start", **{**started, "epochs": 0, "strategy": "random"})
    observer.event("search-epoch", epoch=3)
    assert stream.getvalue().splitlines() == [
        "  epoch 15: E3 takes E_HAD of in0",
        "  epoch 15: V3 takes V_SUM of 2",
        "warning: watch out",
        "search 0, round 1: to 4 vertices in 25 epochs, sgas",
        "search 0, round 1: to 4 vertices, random",
    ]
    assert set(NEWS) <= set(FIELDS)
