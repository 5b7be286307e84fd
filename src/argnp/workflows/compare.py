"""Several ways to find an architecture, under one protocol.

Every architecture that a model gives is trained alike, stops at its best epoch on the validation
set, and reads the test set once.
"""

import re
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from argnp.differentiate.strategies import strategy
from argnp.errors import UserError
from argnp.runs.files import write_whole
from argnp.runs.folder import RunFolder
from argnp.runs.journal import read_journal
from argnp.workflows.begin import begun, keep_rejected, run_folder
from argnp.workflows.commands import Call
from argnp.workflows.configure import configure
from argnp.workflows.console import Console, console, duration
from argnp.workflows.fit import search
from argnp.workflows.open_data import Opened, open_data
from argnp.workflows.outcome import Outcome, table
from argnp.workflows.settings import Settings
from argnp.workflows.summary import BETWEEN, between, spread
from argnp.workflows.units import test, train

_SAID_BY_MODELS: Final = ("searches", "search.strategy", "ensemble")


@dataclass(frozen=True)
class Model:
    """``sgas*3``: three searches; ``sgas-off*3``: relations off, at the weights of ``sgas``."""

    name: str
    strategy: str
    relations: bool
    count: int


@dataclass(frozen=True)
class Row:
    """One trained architecture."""

    model: str
    search: int
    seed: int
    parameters: int
    validation: float
    test: float
    search_seconds: float
    train_seconds: float


def parse_models(text: str) -> list[Model]:
    """``sgas*3,random*6,sgas-off*3``."""
    models = []
    for part in text.split(","):
        match = re.fullmatch(r"([a-z0-9+-]+?)(-off)?(?:\*(\d+))?", part.strip())
        if match is None:
            raise UserError(f"--models {part}: NAME, NAME-off or NAME*COUNT is expected")
        names, off, count = match[1], match[2] or "", int(match[3] or 1)
        for name in names.split("+"):
            strategy(name)
        models.append(Model(names + off, names.replace("+", ","), not off, count))
    return models


def compare_command(call: Call, models: Sequence[Model]) -> Outcome:
    """``argnp compare``: a table of all models, and compare.json with every single result."""
    for name in _SAID_BY_MODELS:
        if name in call.flags:
            raise UserError(
                f"--{name.rpartition('.')[2]}: compare reads it from --models, as sgas*3 for three "
                "searches of sgas; leave it out"
            )
    settings = configure(flags=call.flags, config=call.config)
    opened = open_data(settings.data, settings.seed, quiet=call.quiet)
    metric = opened.dataset.metric
    folder = call.output or run_folder(settings, opened.dataset, None).path
    runs = [RunFolder(folder / model.name) for model in models]
    if call.resume and not any(run.config.exists() for run in runs):
        raise UserError(f"{folder}: holds no run to go on with; leave out --resume")
    data = {True: opened}
    if not all(model.relations for model in models):
        data[False] = _without_relations(settings, opened, quiet=call.quiet)
    # Every model's share of the time budget begins with its share of the opening.
    spent = (time.monotonic() - call.began) / len(models)
    rows: list[Row] = []
    with closing(console(quiet=call.quiet)) as screen:
        for model, run in zip(models, runs, strict=True):
            variant = _settings(settings, model, rows, len(models))
            began = time.monotonic() - spent
            rows += _results(variant, data[model.relations], model, run, screen, began)
    values = {"rows": [msgspec.to_builtins(row) for row in rows]}
    write_whole(folder / "compare.json", msgspec.json.format(msgspec.json.encode(values)) + b"\n")
    return Outcome(_table(rows, metric), {**values, "run": str(folder)})


def _without_relations(settings: Settings, opened: Opened, *, quiet: bool) -> Opened:
    """The same data for the models that have none."""
    if settings.data.relations == "off":
        return opened
    data = msgspec.structs.replace(settings.data, relations="off")
    found = open_data(data, settings.seed, quiet=quiet)
    if found.dataset.fingerprint != opened.dataset.fingerprint:
        raise UserError(
            f"{settings.data.data}: changed while it was read; run the same command again"
        )
    return found


def _settings(settings: Settings, model: Model, before: Sequence[Row], models: int) -> Settings:
    """Those of one model; a time budget is shared out among so many."""
    replace = msgspec.structs.replace
    changed = replace(
        settings,
        searches=model.count,
        time_budget=settings.time_budget / models,
        plan=settings.plan and str(Path(settings.plan) / model.name),
        search=replace(settings.search, strategy=model.strategy),
    )
    if model.relations:
        return changed
    # Equal weights: the node stream widens to what the same strategy has with relations.
    twin = [row.parameters for row in before if row.model == model.name.removesuffix("-off")]
    if not twin and not settings.params:
        raise UserError(f"--models {model.name}: name {model.name.removesuffix('-off')} before it")
    return replace(
        changed,
        data=replace(settings.data, relations="off"),
        params=settings.params or round(fmean(twin)),
    )


def _results(
    settings: Settings,
    opened: Opened,
    model: Model,
    folder: RunFolder,
    screen: Console,
    began: float,
) -> list[Row]:
    metric = opened.dataset.metric
    screen.line(f"{model.name}: {model.count} x size {settings.size}")
    with begun(settings, opened.dataset, folder, screen, began=began, trains="last") as (
        context,
        plan,
    ):
        keep_rejected(folder, opened)
        rows = []
        found = search(context, plan)
        seconds = _search_seconds(folder)
        for number, sizes in found.items():
            for seed in range(settings.seeds):
                candidate = train(
                    context, sizes[max(sizes)], search=number, seed=seed, epochs=plan.train_epochs
                )
                if candidate is None:
                    continue
                rows.append(
                    Row(
                        model.name,
                        number,
                        seed,
                        candidate.parameters,
                        candidate.metrics[metric],
                        test(context, [candidate]).metrics[metric],
                        seconds.get(number, 0.0),
                        candidate.seconds,
                    )
                )
        return rows


def _search_seconds(folder: RunFolder) -> dict[int, float]:
    seconds: dict[int, float] = {}
    for event in read_journal(folder.journal).events:
        if event["event"] == "round-end":
            seconds[event["search"]] = seconds.get(event["search"], 0.0) + event["seconds"]
    return seconds


def _table(rows: Sequence[Row], metric: str) -> str:
    lines = []
    several = any(row.seed for row in rows)
    for name in dict.fromkeys(row.model for row in rows):
        own = [row for row in rows if row.model == name]
        lines.append(
            [
                name,
                str(len(own)),
                spread([row.test for row in own]),
                *(between([(row.search, row.test) for row in own]) if several else []),
                f"{min(row.test for row in own):.4g} .. {max(row.test for row in own):.4g}",
                spread([row.validation for row in own]),
                f"{fmean(row.parameters for row in own):,.0f}",
                duration(fmean(row.search_seconds for row in own)),
                duration(fmean(row.train_seconds for row in own)),
            ]
        )
    head = ["model", "n", f"test {metric}", *(BETWEEN if several else [])]
    return table([*head, "range", "validation", "weights", "search", "training"], lines)
