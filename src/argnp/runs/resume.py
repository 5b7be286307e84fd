"""Going on with a run only where it is the run that was asked for."""

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from argnp.errors import UserError
from argnp.runs.files import write_whole
from argnp.runs.folder import RunFolder
from argnp.runs.toml import to_toml

_NAMED: Final = 3  # differences that are spelled out


def begin_or_resume(
    folder: RunFolder,
    settings: Mapping[str, Any],
    data: Mapping[str, Any],
    *,
    ignore: Collection[str] = (),
) -> bool:
    """Write what the run is, or check that it is what the folder holds; True if it goes on.

    ``data`` says what the data is; of it only ``fingerprint`` decides, the rest explains.
    ``ignore`` names settings (``a.b`` for nested ones, ``a`` for all of them) that may change
    on the way, such as how much is printed.
    """
    settings, data = msgspec.to_builtins(settings), msgspec.to_builtins(data)
    if not folder.config.exists():  # written last: without it the run has not begun
        readable = msgspec.json.format(msgspec.json.encode(data), indent=2)
        write_whole(folder.data, readable + b"\n")
        write_whole(folder.config, to_toml(settings))
        return False
    stored = _load(folder.config, tomllib.loads)
    _refuse(folder, "settings", list(_differences(stored, settings, ignore)))
    known = _load(folder.data, msgspec.json.decode)
    if known.get("fingerprint") != data.get("fingerprint"):
        # The hash says nothing to a reader, so it comes last.
        found = sorted(_differences(known, data, ()), key=lambda line: line.startswith("finger"))
        _refuse(folder, "data", found)
    return True


def _load(path: Path, decode: Callable[[str], Any]) -> dict[str, Any]:
    try:
        return msgspec.convert(decode(path.read_text(encoding="utf-8")), dict[str, Any])
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise UserError(
            f"{path}: damaged ({error}); put it back, or choose another folder with -o"
        ) from error


def _refuse(folder: RunFolder, what: str, found: Sequence[str]) -> None:
    if found:
        more = f", and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        raise UserError(
            f"{folder.path}: holds a run with other {what}: {', '.join(found[:_NAMED])}{more}; "
            "ask for the same again, or choose another folder with -o"
        )


def _differences(
    old: Mapping[str, Any], new: Mapping[str, Any], ignore: Collection[str], above: str = ""
) -> Iterator[str]:
    """``size: 4 -> 8`` for every leaf that differs; an absent value and None are the same."""
    for key in [*new, *(key for key in old if key not in new)]:
        name = f"{above}{key}"
        before, after = old.get(key), new.get(key)
        if name in ignore:
            continue
        sides = [{} if side is None else side for side in (before, after)]
        if any(sides) and all(isinstance(side, Mapping) for side in sides):
            yield from _differences(sides[0], sides[1], ignore, f"{name}.")
        elif _listed(before) != _listed(after):
            yield f"{name}: {_shown(before)} -> {_shown(after)}"


def _listed(value: Any) -> Any:
    """A tuple is written as a list, so the two are equal; 1 and True are not."""
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return (isinstance(value, bool), value)


def _shown(value: Any) -> str:
    return "not set" if value is None else str(value)
