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


# What was decided when the architectures were searched.
_SETTLED = ("size", "proliferate", "searches", "data.relations")


def given_run(run: Path, flags: Mapping[str, Any], config: Path | None = None) -> Given:
    """The architectures that a run has found; with flags that change it, for a new run."""
    changes = {**(_flat(read_settings(config)) if config else {}), **flags}
    for name in changes:
        if name in _SETTLED or name.startswith("space."):
            raise UserError(
                f"{run}: its architectures are found already, {name} was settled then; "
                "leave it out, or search anew with `argnp fit`"
            )
    folder = RunFolder(run)
    if not folder.config.exists():
        raise UserError(f"{run}: no run folder: there is no {folder.config.name} in it")
    settings = reconfigure(read_settings(folder.config), changes)
    files = {
        (int(file.parents[1].name), int(file.parent.name.removeprefix("round-"))): file
        for file in sorted(folder.path.glob("search/*/round-*/architecture.json"))
    }
    if any((search, 0) not in files for search in range(settings.searches)):
        raise UserError(
            f"{run}: a search there has not ended a round yet; run its own command again to let it"
        )
    return Given(settings, files, None if changes else folder)


def _flat(tree: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Nested settings by their dotted names."""
    found: dict[str, Any] = {}
    for key, value in tree.items():
        nested = isinstance(value, Mapping)
        found |= _flat(value, f"{above}{key}.") if nested else {f"{above}{key}": value}
    return found


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
    relations = settings.data.relations
    if (relations == "off") == architecture.space.relations and relations != "auto":
        raise UserError(
            f"{file}: an architecture {'with' if architecture.space.relations else 'without'} "
            f"relations; leave out --relations {relations}"
        )
    if not architecture.space.relations:
        data = msgspec.structs.replace(settings.data, relations="off")
        settings = msgspec.structs.replace(settings, data=data)
    space = msgspec.structs.replace(settings.space, cells=architecture.cells)
    settings = msgspec.structs.replace(
        settings, size=architecture.size, proliferate=False, searches=1, space=space
    )
    return Given(settings, {(0, 0): file})
