"""Settings that the data at hand has no use for: refused rather than passed over."""

from typing import Final, Literal

import msgspec

from argnp.data.benchmarks.named import splits_are_drawn
from argnp.errors import UserError
from argnp.workflows.settings import DataSettings

Kind = Literal["table", "name", "folder", "objects", "dataset"]

_OF_TABLES: Final = (
    *("target", "smiles_column", "splits_column", "split_file"),
    *("featurizer", "on_invalid"),
)
_OF_NAMES: Final = ("root", "graphs", "recipe")
_DRAWN: Final = ("split", "split_sizes")
_IDLE: Final[dict[Kind, tuple[str, ...]]] = {
    "table": _OF_NAMES,
    "name": (*_OF_TABLES, *_DRAWN),
    "folder": (*_OF_TABLES, *_OF_NAMES, *_DRAWN, "task"),
    "objects": (*_OF_TABLES, *_OF_NAMES),
    "dataset": tuple(name for name in DataSettings.__struct_fields__ if name != "data"),
}
_FLAGS: Final = {"encoding": "pe", "recipe": "set data.recipe"}


def idle(settings: DataSettings, kind: Kind) -> list[str]:
    """Names of settings that were changed in vain."""
    plain = DataSettings()
    drawn = _DRAWN if kind == "name" and splits_are_drawn(settings.data) else ()
    return [
        name
        for name in _IDLE[kind]
        if name not in drawn and getattr(settings, name) != getattr(plain, name)
    ]


def refuse_idle(settings: DataSettings, kind: Kind, called: str) -> None:
    """One line about the first of them."""
    for name in idle(settings, kind):
        why = "has its own"
        if kind != "dataset" and name in _OF_TABLES:
            why = "is no table of molecules"
        elif kind != "dataset" and name in _OF_NAMES:
            why = "is no benchmark's name"
        flag = _FLAGS.get(name, name.replace("_", "-"))
        raise UserError(f"--{flag}: {called} {why}; leave it out")


def drop_idle(settings: DataSettings, kind: Kind) -> DataSettings:
    """The settings of a run, for other data: without what this has no use for."""
    plain = DataSettings()
    changes = {name: getattr(plain, name) for name in idle(settings, kind)}
    return msgspec.structs.replace(settings, **changes)
