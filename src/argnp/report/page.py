"""report.html: one file that says what a run found, made of nothing but the run folder."""

import json
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from argnp.arch.codec import decode
from argnp.arch.graph import Architecture
from argnp.errors import UserError
from argnp.report.explained import explained
from argnp.report.extras import read_extras
from argnp.report.facts import (
    command,
    command_with_plan,
    data_remarks,
    data_table,
    environment_table,
    is_timed,
    plan_table,
    settings_table,
)
from argnp.report.growth import growth
from argnp.report.learning import search_chart, training_charts
from argnp.report.numbers import duration
from argnp.report.predicted import by_label, confusion, scatters
from argnp.report.record import Record, read_record
from argnp.report.result import result
from argnp.report.svg import draw
from argnp.report.tables import decisions_table, sizes
from argnp.report.text import show
from argnp.runs.files import write_whole
from argnp.runs.folder import RunFolder
from argnp.runs.journal import read_journal

_HERE: Final = Path(__file__).parent


def write_report(run_folder: Path) -> Path:
    """Write ``report.html`` into the run folder and return its path.

    A run that is going on, or that was killed, gives a report of what there is.
    """
    folder = RunFolder(run_folder)
    if not folder.journal.exists():
        raise UserError(
            f"{run_folder}: no run: {folder.journal.name} is not there; name the folder of a run, "
            "as `argnp fit` made it"
        )
    write_whole(folder.report, render(run_folder))
    return folder.report


def render(run_folder: Path) -> str:
    """The page as text."""
    folder = RunFolder(run_folder)
    reading = read_journal(folder.journal)
    data, complaints = _read_object(folder.data)
    record = read_record(reading.events, data, [*reading.warnings, *complaints])
    extras, broken = read_extras(run_folder)
    record.warnings += broken
    return str(_template().render(_context(record, extras, run_folder)))


def _context(record: Record, extras: dict[str, Any], run_folder: Path) -> dict[str, Any]:
    architecture = record.chosen_architecture() or _packaged(run_folder)
    grown = growth(record)
    predictions = extras.get("predictions")
    return {
        "title": record.data.get("name") or run_folder.resolve().name,
        "task": record.task.replace("-", " "),
        "status": _status(record),
        "ended": record.seconds is not None,
        "result": result(record, predictions),
        "sizes": sizes(record, _packaged_validation(run_folder)),
        "rule": (record.selected or {}).get("rule"),
        "architecture": architecture,
        "drawing": draw(architecture, name="chosen") if architecture else None,
        "architecture_text": show(architecture) if architecture else None,
        "growth": grown,
        "growth_data": _script(grown.data()) if grown else None,
        "decisions": decisions_table(grown.decisions) if grown and grown.decisions else None,
        "search_chart": search_chart(record),
        "training_charts": training_charts(record),
        "scatters": scatters(predictions) if predictions else [],
        "confusion": confusion(predictions) if predictions else None,
        "by_label": by_label(predictions) if predictions else None,
        "explain": extras.get("explain"),
        "explained": explained(extras["explain"]) if "explain" in extras else [],
        "rings": any(one.get("marked") for one in extras.get("explain", {}).get("examples", [])),
        "features": extras.get("features"),
        "features_data": _script(extras["features"]) if "features" in extras else None,
        "data_warnings": data_remarks(record.data, "warnings"),
        "data_notes": data_remarks(record.data, "notes"),
        "data": data_table(record.data),
        "warnings": [*record.warnings, *record.cuts],
        "command": command(record, run_folder),
        "plan": plan_table(record),
        "planned": command_with_plan(record, run_folder) if is_timed(record) else None,
        "settings": settings_table(record),
        "environment": environment_table(record),
        "style": (_HERE / "static" / "report.css").read_text(),
        "script": "".join(
            (_HERE / "static" / name).read_text() for name in ("growth.js", "features.js")
        ),
    }


def _status(record: Record) -> str:
    if record.seconds is not None and record.went_on:
        spent = duration(max(record.worked, record.seconds))
        return f"Complete, in several sessions, with {spent} of searching and training"
    if record.seconds is not None:
        return f"Complete, in {duration(record.seconds)}"
    if record.last is None:
        return "Nothing has happened yet"
    last = datetime.fromtimestamp(record.last, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"Not finished: going on or interrupted; last heard of {last}"


def _packaged(run_folder: Path) -> Architecture | None:
    """The packaged model's, for a folder whose journal has lost it."""
    path = RunFolder(run_folder).model / "architecture.json"
    try:
        return decode(path.read_bytes())
    except (OSError, ValueError):
        return None


def _packaged_validation(run_folder: Path) -> dict[str, Any]:
    """The packaged model's metrics of the validation set; none where nothing is packaged."""
    metrics, _ = _read_object(RunFolder(run_folder).model / "metrics.json")
    found = metrics.get("validation")
    return found if isinstance(found, dict) else {}


def _read_object(path: Path) -> tuple[dict[str, Any], list[str]]:
    if not path.exists():
        return {}, []
    try:
        value = json.loads(path.read_bytes(), parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        return {}, [f"{path.name} is left out: no JSON: {error}"]
    if not isinstance(value, dict):
        return {}, [f"{path.name} is left out: an object is expected"]
    return value, []


def _script(value: Any) -> str:
    """JSON that can stand in a script element."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def _template() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")
