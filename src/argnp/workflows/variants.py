"""Other widths, regularisation and readout of the chosen architecture: validation chooses."""

from typing import Final

import msgspec

from argnp.data.schema import Task
from argnp.heads.readout import Readout
from argnp.workflows.settings import Settings


class Variant(msgspec.Struct, frozen=True):
    """A training like the one that was set, but for what stands here.

    ``width`` scales all widths; ``dropout`` and ``weight_decay`` are at least so much.
    ``readout`` None: as set.
    """

    width: float = 1.0
    dropout: float = 0.0
    weight_decay: float = 0.0
    readout: Readout | None = None


AS_SET: Final = ""
# What small data asks for, fewer weights or the same ones held back; and what targets that grow
# with the graph ask for.
VARIANTS: Final[dict[str, Variant]] = {
    AS_SET: Variant(),
    "narrow": Variant(width=0.6),
    "regular": Variant(dropout=0.25, weight_decay=0.1),
    "sum": Variant(readout="sum"),
}


def variants_for(settings: Settings, task: Task) -> list[str]:
    """Those worth a comparison.

    None where the settings are published ones, no other width where a number of weights was
    asked for, another readout only of numbers that belong to whole graphs.
    """
    if not settings.tune or settings.recipe == "paper":
        return []
    summed = task.level == "graph" and task.kind == "regression"
    return [
        name
        for name, variant in VARIANTS.items()
        if name != AS_SET
        and (variant.width == 1.0 or not settings.params)
        and (variant.readout is None or (summed and variant.readout != settings.train.readout))
    ]


def varied(settings: Settings, name: str) -> Settings:
    """The settings of a variant."""
    variant, train = VARIANTS[name], settings.train
    if name == AS_SET:
        return settings
    replace = msgspec.structs.replace
    return replace(
        settings,
        widths=settings.widths.scaled(variant.width),
        train=replace(
            train,
            dropout=max(train.dropout, variant.dropout),
            weight_decay=max(train.weight_decay, variant.weight_decay),
            readout=variant.readout or train.readout,
        ),
    )
