"""The commands that search and train: flags in, a finished run folder out."""

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from argnp.report.page import write_report
from argnp.workflows.begin import begun, keep_rejected, run_folder
from argnp.workflows.configure import configure
from argnp.workflows.console import console
from argnp.workflows.extras import write_extras
from argnp.workflows.fit import fit, search
from argnp.workflows.given import Given, given_architecture, given_run
from argnp.workflows.open_data import Opened, open_data
from argnp.workflows.outcome import Outcome, table
from argnp.workflows.package import package
from argnp.workflows.settings import Settings
from argnp.workflows.summary import summarise


@dataclass(frozen=True)
class Call:
    """How a command was called, beyond its settings."""

    flags: Mapping[str, Any]
    config: Path | None = None
    output: Path | None = None
    resume: bool | None = None
    quiet: bool = False
    began: float = field(default_factory=time.monotonic)  # of the time budget


def fit_command(call: Call) -> Outcome:
    """``argnp fit``: the whole way from data to a packaged model and a report."""
    settings = configure(flags=call.flags, config=call.config, fits=True)
    opened = open_data(settings.data, settings.seed, quiet=call.quiet)
    return _fit(settings, opened, call, given=None)


def train_command(call: Call, *, run: Path | None, architecture: Path | None) -> Outcome:
    """``argnp train``: the architectures are there already."""
    if run is not None:
        given = given_run(run, call.flags, call.config)
    else:
        assert architecture is not None
        given = given_architecture(architecture, configure(flags=call.flags, config=call.config))
    settings = given.settings
    return _fit(settings, open_data(settings.data, settings.seed, quiet=call.quiet), call, given)


def search_command(call: Call) -> Outcome:
    """``argnp search``: architectures of every size, and no training of them."""
    settings = configure(flags=call.flags, config=call.config)
    opened = open_data(settings.data, settings.seed, quiet=call.quiet)
    folder = run_folder(settings, opened.dataset, call.output)
    with (
        closing(console(quiet=call.quiet)) as screen,
        begun(
            settings,
            opened.dataset,
            folder,
            screen,
            resume=call.resume,
            began=call.began,
            trains="none",
        ) as (context, plan),
    ):
        keep_rejected(folder, opened)
        found = search(context, plan)
    write_report(folder.path)
    rows = [
        [str(number), str(size), str(folder.architecture(number, index))]
        for number, sizes in found.items()
        for index, size in enumerate(sizes)
    ]
    return Outcome(
        table(["search", "size", "architecture"], rows),
        {
            "run": str(folder.path),
            "architectures": [
                {"search": int(a), "size": int(b), "file": file} for a, b, file in rows
            ],
        },
    )


def _fit(settings: Settings, opened: Opened, call: Call, given: Given | None) -> Outcome:
    folder = run_folder(settings, opened.dataset, call.output)
    if given is not None and given.folder is not None and call.output is None:
        folder = given.folder
    with (
        closing(console(quiet=call.quiet)) as screen,
        begun(
            settings,
            opened.dataset,
            folder,
            screen,
            resume=call.resume,
            prepare=given.lay_out if given else None,
            began=call.began,
        ) as (context, plan),
    ):
        keep_rejected(folder, opened)
        fitted = fit(context, plan)
        package(context, fitted, opened)
        write_extras(context, fitted, opened)
        outcome = summarise(context, fitted)
    write_report(folder.path)
    return outcome
