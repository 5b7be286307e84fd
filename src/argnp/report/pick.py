"""The architecture that a user points at: a file, a packaged model, or one of a run."""

from pathlib import Path

from argnp.arch import Architecture
from argnp.errors import UserError
from argnp.runs.folder import RunFolder


def pick(what: Path, *, search: int | None, size: int | None) -> Architecture:
    """Of a run: the chosen one, or the one of that search and size, by default the largest."""
    if what.is_file():
        return _read(what)
    if not what.is_dir():
        raise UserError(f"{what}: neither a file nor a folder")
    folder = RunFolder(what)
    for packaged in (what / "architecture.json", folder.model / "architecture.json"):
        if size is None and search is None and packaged.exists():
            return _read(packaged)
    search = search or 0
    found = {
        architecture.size: architecture
        for file in sorted(folder.path.glob(f"search/{search}/round-*/architecture.json"))
        for architecture in [_read(file)]
    }
    if not found:
        raise UserError(f"{what}: no architecture of search {search} there (yet)")
    if size is not None and size not in found:
        raise UserError(f"{what}: no size {size}; there are {', '.join(map(str, sorted(found)))}")
    return found[max(found) if size is None else size]


def _read(file: Path) -> Architecture:
    try:
        return Architecture.from_json(file.read_bytes())
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise UserError(f"{file}: {error}") from None
