"""Tables of whatever data.json and the settings hold, and how to run it again."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from argnp.report.blocks import Table
from argnp.report.numbers import count, figure
from argnp.report.record import Record

_REMARKS: Final = ("warnings", "notes")
# What people call it. Properties of the schema that are said elsewhere, or of nothing, go.
_NAMES: Final = {
    "name": "Name",
    "task": "Task",
    "metric": "Metric",
    "graphs": "Graphs",
    "nodes.mean": "Nodes of a graph, on average",
    "nodes.largest": "Nodes of a graph, at most",
    "relations.mode": "Relations",
    "relations.mean": "Relations of a graph, on average",
    "relations.largest": "Relations of a graph, at most",
    "splits.train": "Training set",
    "splits.val": "Validation set",
    "splits.test": "Test set",
    "schema.task.outputs": "Outputs",
    "schema.task.labels": "What they are called",
    "schema.node.sizes": "Node features, values of each column",
    "schema.node.width": "Node features, numbers",
    "schema.edge.sizes": "Edge features, values of each column",
    "schema.edge.width": "Edge features, numbers",
    "schema.encoding.kind": "Positional encoding",
    "schema.encoding.width": "Positional encoding, numbers",
    "fingerprint": "Fingerprint",
}
_MADE_WITH: Final = {
    "version": "argnp",
    "kernels": "Kernels",
    "fingerprint": "Fingerprint of the data",
    "environment.python": "Python",
    "environment.torch": "torch",
    "environment.platform": "Platform",
    "environment.threads": "Threads",
}
_SAID: Final = frozenset(
    f"schema.{name}" for name in ("task.level", "task.kind", "node.kind", "edge.kind", "relations")
)
_NOTHING: Final = frozenset({"none", "no", "0"})
_SHOWN: Final = 12  # items of a list
# Flags that a plan stands in for, and those that name the folder of the run that was.
_WITH_VALUE: Final = ("--time-budget", "-o", "--output-dir")
_NOT_AGAIN: Final = ("--time-budget=", "-o", "--output-dir=", "--resume")


def data_table(data: Mapping[str, Any]) -> Table | None:
    plain = {key: value for key, value in data.items() if key not in _REMARKS}
    flat = {
        name: text
        for name, text in _flat(plain)
        if name not in _SAID and not (name.startswith("schema.") and text in _NOTHING)
    }
    order = [*(name for name in _NAMES if name in flat), *(n for n in flat if n not in _NAMES)]
    rows = [[_NAMES.get(name, name), flat[name]] for name in order]
    return _words("What the data is", ["Property", "Value"], rows)


def data_remarks(data: Mapping[str, Any], kind: str) -> list[str]:
    """The ``warnings`` or the ``notes`` that the reading of the data left."""
    value = data.get(kind) or []
    return [str(line) for line in (value if isinstance(value, list) else [value])]


def settings_table(record: Record) -> Table | None:
    """Every digit and every item: what is typed from it gives the same run."""
    rows = [[name, text] for name, text in _flat(record.settings, text=_exact)]
    return _words("All settings, defaults included", ["Setting", "Value"], rows)


def environment_table(record: Record) -> Table | None:
    told = {key: value for key, value in record.about.items() if key != "command"}
    rows = [[_MADE_WITH.get(name, name), text] for name, text in _flat(told, text=_exact)]
    return _words("Made with", ["What", "Value"], rows)


def plan_table(record: Record) -> Table | None:
    """The plan of rounds and epochs, and what the clock cut of it."""
    if record.plan is None:
        return None
    rows = [
        [f"search to {_reached(one)}", _lasting(one)] for one in _rounds(record) if "epochs" in one
    ]
    if record.plan.get("trains") != "none":
        rows.append(["training", f"{record.plan['train_epochs']} epochs"])
    if record.plan["reason"]:
        rows.append(["why", str(record.plan["reason"])])
    rows += [["cut", text] for text in record.cuts]
    return _words("The plan, and what was cut of it", ["Part", "Length"], rows)


def is_timed(record: Record) -> bool:
    """Whether the plan came from a time budget, so that it depends on the machine."""
    return bool(record.settings.get("time_budget"))


def command(record: Record, run_folder: Path) -> str:
    """What to type to get this run again; of objects handed to the library, what to call."""
    told = record.about.get("command")
    if isinstance(told, list):
        return shlex.join(map(str, told))
    if told:
        return str(told)
    data = record.settings.get("data")
    named = data.get("data") if isinstance(data, Mapping) else data
    if named == "":
        return "argnp.fit(data, ...)  # the same objects, with the settings below"
    source = shlex.quote(named) if isinstance(named, str) and named else "DATA"
    return f"argnp fit {source} --config {shlex.quote(f'{run_folder.name}/config.toml')}"


def command_with_plan(record: Record, run_folder: Path) -> str:
    """What to type to get a run under a time budget again, to the last epoch, on any machine."""
    typed = command(record, run_folder)
    # Of a comparison each model has a run in its folder, and the command names all of them.
    compared = typed.startswith("argnp compare ")
    folder = str(run_folder.parent if compared else run_folder)
    if typed.startswith("argnp.fit("):
        return f"argnp.fit(data, ..., plan={folder!r})  # the same objects and options, no budget"
    words = iter(shlex.split(typed))
    kept = []
    for word in words:
        if word in _WITH_VALUE:
            next(words, None)
        elif not word.startswith(_NOT_AGAIN):
            kept.append(word)
    return shlex.join([*kept, "--plan", folder])


def _rounds(record: Record) -> list[Mapping[str, Any]]:
    rounds = (record.plan or {}).get("rounds") or []
    return [one for one in rounds if isinstance(one, Mapping)]


def _reached(planned: Mapping[str, Any]) -> str:
    """The end of a planned round, told as the size of the network or as a cell's vertices."""
    if "size" in planned:
        return f"size {planned['size']}"
    return f"{planned.get('vertices', '?')} vertices"


def _lasting(planned: Mapping[str, Any]) -> str:
    if planned["epochs"]:
        return f"{planned['epochs']} epochs"
    return "by lot" if planned.get("strategy", "random") == "random" else "found before"


def _words(caption: str, head: list[str], rows: list[list[str]]) -> Table | None:
    return Table(caption, head, rows, words=frozenset({0, 1})) if rows else None


def _flat(
    value: Mapping[str, Any], prefix: str = "", *, text: Callable[[Any], str] | None = None
) -> Iterator[tuple[str, str]]:
    for key, item in value.items():
        name = f"{prefix}{key}"
        if isinstance(item, Mapping):
            yield from _flat(item, f"{name}.", text=text)
        else:
            yield name, (text or _text)(item)


def _text(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return count(value) if abs(value) >= 10_000 else str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e9 else figure(value, 4)
    if isinstance(value, (list, tuple)):
        shown = ", ".join(_text(item) for item in value[:_SHOWN])
        rest = len(value) - _SHOWN
        return (f"{shown}, and {rest} more" if rest > 0 else shown) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_text(item)}" for key, item in value.items())
    return _exact(value)


def _exact(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_exact, value)) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_exact(item)}" for key, item in value.items())
    return str(value) or "none"
