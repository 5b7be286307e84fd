"""``argnp data``: what data is, and data that is made."""

from pathlib import Path
from typing import Any

from argnp.data.benchmarks.named import names
from argnp.data.generators.make import make
from argnp.data.info import describe
from argnp.workflows.open_data import open_data
from argnp.workflows.outcome import Outcome
from argnp.workflows.reading import reading
from argnp.workflows.settings import DataSettings


def info_command(settings: DataSettings, seed: int, *, quiet: bool = False) -> Outcome:
    """Warnings first, then the table, then what was decided and why."""
    info = describe(open_data(settings, seed, quiet=quiet).dataset)
    width = max(len(name) for name, _ in info.rows)
    lines = [f"{finding.severity}: {finding.text}" for finding in info.findings]
    rows = [f"{name:{width}}  {value}" for name, value in info.rows]
    return Outcome(
        "\n".join([*lines, "", *rows]),
        {
            "findings": [{"severity": f.severity, "text": f.text} for f in info.findings],
            "table": dict(info.rows),
        },
    )


def list_command() -> Outcome:
    """Every name that stands for data."""
    return Outcome("\n".join(names()), {"names": list(names())})


def make_command(
    name: str,
    folder: Path,
    graphs: int | tuple[int, int, int] | None,
    seed: int,
    parameters: dict[str, Any],
    *,
    quiet: bool = False,
) -> Outcome:
    """Generate into a folder."""
    with reading("graphs", quiet=quiet) as progress:
        make(name, folder, graphs, seed=seed, parameters=parameters, progress=progress)
    return Outcome(f"{folder}: made; `argnp data info {folder}` tells what it is")
