"""Names and words out of data, journal and extras are text to the browser, never mark-up."""

import json
from pathlib import Path
from typing import Any

import pytest

from argnp.report.page import write_report

RUN = "window.ran = (window.ran || 0) + 1"
BAD = f"</script><img src=x onerror=\"{RUN}\"><script>{RUN}</script>'\"--><svg onload='{RUN}'>"

PREDICTIONS: dict[str, dict[str, Any]] = {
    "targets": {
        "kind": "regression",
        "columns": [
            {"name": f"{BAD}{n}", "truth": [1, 2, 3], "prediction": [1, 2, 4]} for n in "ab"
        ],
    },
    "classes": {
        "kind": "classification",
        "labels": [f"{BAD}0", f"{BAD}1"],
        "confusion": [[50, 3], [4, 43]],
    },
    "labels": {
        "kind": "multilabel",
        "labels": [f"{BAD}0", f"{BAD}1"],
        "confusions": [[[50, 3], [4, 43]], [[1, 2], [3, 4]]],
    },
}


def spoil(run: Path) -> None:
    """Puts the words wherever the journal has words of its own choice."""
    journal = run / "journal.jsonl"
    events = [json.loads(line) for line in journal.read_text().splitlines()]
    for event in events:
        if event["event"] == "run-start":
            event["settings"] |= {"metric": BAD, "loss": BAD, BAD: [BAD]}
            event |= {"kernels": BAD, "version": BAD, "command": BAD, "environment": {BAD: BAD}}
        if "metrics" in event:
            event["metrics"] = {BAD: 0.5, f"{BAD}2": 0.25}
        event |= {name: BAD for name in ("rule", "reason") if name in event}
    named = events[-2] | {"event": "train-start", "parameters": 5, "variant": BAD}
    warning = {"event": "warning", "t": events[-1]["t"], "text": BAD}
    journal.write_text("".join(json.dumps(event) + "\n" for event in [*events, named, warning]))


@pytest.mark.parametrize("kind", PREDICTIONS)
def test_nothing_runs(browser: Any, make_run: Any, extras: dict[str, Any], kind: str) -> None:
    changed = json.loads(json.dumps(extras)) | {"predictions": PREDICTIONS[kind]}
    features, explain = changed["features"], changed["explain"]
    features["of"] = explain["of"] = explain["method"] = BAD
    features["examples"][0] |= {"title": BAD}
    features["examples"][0]["vertices"][-1]["name"] = BAD
    explain["examples"][0] |= {"title": BAD, "truth": BAD, "prediction": BAD}
    explain["examples"][0]["labels"][0] = BAD
    data = {"name": BAD, "task": BAD, "warnings": [BAD], "notes": [BAD], BAD: {BAD: BAD}}
    run = make_run(2, extras=changed, data=data)
    spoil(run)
    browser.show(write_report(run))
    for _ in range(browser.run("return Number(document.getElementById('step').max)")):
        browser.run("document.getElementById('step-on').click()")
    browser.run("return new Promise(done => setTimeout(done, 200))")
    assert browser.run("return window.ran ?? null") is None
    assert browser.run("return document.querySelectorAll('img,[onload],[onerror]').length") == 0
    assert browser.run("return document.querySelectorAll('script').length") == 3
    assert browser.console == []
    text = browser.run("return document.body.textContent")
    assert text.count("<img src=x onerror=") > 20
    assert browser.run("return document.title").startswith(BAD)
