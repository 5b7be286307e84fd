"""A run on a few molecules that is over in a moment."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from argnp.runs.folder import RunFolder
from argnp.workflows.begin import begun
from argnp.workflows.configure import configure
from argnp.workflows.console import Quiet
from argnp.workflows.context import Context
from argnp.workflows.fit import Fitted, fit
from argnp.workflows.open_data import Opened, open_data
from argnp.workflows.package import package

FRAGMENTS = ("C", "CC", "CO", "CN", "c1ccccc1", "C1CC1", "C=C", "CCl", "CF", "C#N")


@dataclass(frozen=True)
class SmallRun:
    """The run folder, its data, and what was fitted."""

    folder: Path
    data: Path
    context: Context
    fitted: Fitted
    opened: Opened


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallRun]:
    """Two trainings of one epoch, of two targets of 40 molecules."""
    pytest.importorskip("rdkit", reason="molecules need the chem extra")
    scratch = tmp_path_factory.mktemp("small")
    data = scratch / "molecules.csv"
    with data.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["name", "structure", "logS", "mass"])
        for i in range(40):
            smiles = "C" * (i // 10) + FRAGMENTS[i % 10]
            writer.writerow([f"m{i}", smiles, f"{-0.31 * i}", f"{1.5 * i}"])
    flags: dict[str, Any] = {
        "data.data": str(data),
        "data.target": ["logS", "mass"],
        "size": 2,
        "seeds": 2,
        "search.strategy": "random",
        "train.epochs": 1,
        "widths.node": 8,
        "widths.edge": 6,
    }
    with pytest.MonkeyPatch.context() as patch:
        # Not the user's; for the rest of the session, as later tests read the molecules again.
        patch.setattr("argnp.data.molecules.load.default_folder", lambda: scratch / "cache")
        settings = configure(flags=flags)
        opened = open_data(settings.data, settings.seed)
        folder = RunFolder(scratch / "run")
        with begun(settings, opened.dataset, folder, Quiet()) as (context, plan):
            fitted = fit(context, plan)
            package(context, fitted, opened)
        yield SmallRun(folder.path, data, context, fitted, opened)
