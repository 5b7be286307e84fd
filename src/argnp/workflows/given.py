"""Architectures that were found before: laid into a run folder as if it had searched them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from argnp.arch import Architecture
from argnp.errors import UserError
from argnp.runs.files import write_whole
from argnp.runs.folder import RunFolder
from argnp.workflows.configure import read_settings, reconfigure
from argnp.workflows.settings import Settings


@dataclass(frozen=True)
class Given:
    """``folder``: the run to work on in, where nothing about it is changed.

    ``files``: architecture files by (search, round), to be copied into a new folder.
    """

    settings: Settings
    files: dict[tuple[int, int], Path]
    folder: RunFolder | None = None

    def lay_out(self, folder: RunFolder) -> None:
        """Put the architectures where a search would have left them."""
        for (search, number), file in self.files.items():
            target = folder.architecture(search, number)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                write_whole(target, file.read_bytes())


def given_run(run: Path, flags: Mapping[str, Any]) -> Given:
    """The architectures that a run has found; with flags that change it, for a new run."""
    folder = RunFolder(run)
    if not folder.config.exists():
        raise UserError(f"{run}: no run folder: there is no {folder.config.name} in it")
    settings = reconfigure(read_settings(folder.config), flags)
    files = {
        (int(file.parents[1].name), int(file.parent.name.removeprefix("round-"))): file
        for file in sorted(folder.path.glob("search/*/round-*/architecture.json"))
    }
    if not files:
        raise UserError(f"{run}: no search has ended a round there; run `argnp search` first")
    return Given(settings, files, None if flags else folder)


def given_architecture(file: Path, settings: Settings) -> Given:
    """One architecture from a file: a run whose only round is over before it begins."""
    try:
        architecture = Architecture.from_json(file.read_bytes())
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"{file}: {error}") from None
    if not architecture.decided:
        raise UserError(f"{file}: some of its links are still mixtures; search it to the end first")
    space = msgspec.structs.replace(settings.space, cells=architecture.cells)
    settings = msgspec.structs.replace(
        settings, size=architecture.size, proliferate=False, searches=1, space=space
    )
    return Given(settings, {(0, 0): file})
