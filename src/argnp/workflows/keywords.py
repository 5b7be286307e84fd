"""Keywords of the library as settings: the flags of the command line with underscores."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from argnp.errors import UserError
from argnp.workflows.configure import configure
from argnp.workflows.quantities import parse_count, parse_duration, widths_of
from argnp.workflows.settings import DataSettings, Settings, SpaceSettings

_TOP = (
    *("recipe", "size", "searches", "seeds", "seed", "tune", "ensemble"),
    *("kernels", "device", "executor"),
)
_TRAIN = ("epochs", "lr", "dropout")
_ALIASES = {
    "pe": ("data.encoding",),
    "proliferation": ("proliferate",),
    "strategy": ("search.strategy",),
    "search_epochs": ("search.epochs",),
    "batch_size": ("train.batch_size", "search.batch_size"),
}


def configure_keywords(data: object, options: Mapping[str, Any], *, fits: bool = False) -> Settings:
    """The settings of a call; ``a__b`` stands for the setting ``a.b``."""
    flags: dict[str, Any] = {"data.data": str(data) if isinstance(data, str | Path) else ""}
    for name, value in options.items():
        flags.update(_setting(name, value))
    return configure(flags=flags, fits=fits)


def _setting(name: str, value: Any) -> dict[str, Any]:
    if "__" in name:
        return {name.replace("__", "."): value}
    if name == "width":
        return dict(widths_of(value))
    if name in _ALIASES:
        return dict.fromkeys(_ALIASES[name], value)
    if name in _READ and value is not None:
        setting, read = _READ[name]
        return {setting: read(value)}
    for table, known in (
        ("", _TOP),
        ("train.", _TRAIN),
        ("data.", DataSettings.__struct_fields__),
        ("space.", SpaceSettings.__struct_fields__),
    ):
        if name in known:
            return {f"{table}{name}": value}
    raise UserError(f"{name}: no such option; any setting can be given as train__lr=1e-3")


def _names(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _graphs(value: Any) -> str:
    return value if isinstance(value, str) else "/".join(map(str, np.atleast_1d(value)))


def _read_text(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda value: read(value) if isinstance(value, str) else value


_READ: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "target": ("data.target", _names),
    "graphs": ("data.graphs", _graphs),
    "params": ("params", _read_text(parse_count)),
    "plan": ("plan", str),
    "time_budget": ("time_budget", _read_text(parse_duration)),
}
