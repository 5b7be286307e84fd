"""Other widths and regularisation of the chosen architecture, for validation to choose among."""

from typing import Final

import msgspec

from argnp.workflows.settings import Settings


class Variant(msgspec.Struct, frozen=True):
    """A training like the one that was set, but for what stands here.

    ``width`` scales all widths; ``dropout`` and ``weight_decay`` are at least so much.
    """

    width: float = 1.0
    dropout: float = 0.0
    weight_decay: float = 0.0


AS_SET: Final = ""
# What small data asks for: fewer weights, or the same ones held back.
VARIANTS: Final[dict[str, Variant]] = {
    AS_SET: Variant(),
    "narrow": Variant(width=0.6),
    "regular": Variant(dropout=0.25, weight_decay=0.1),
}


def variants_for(settings: Settings) -> list[str]:
    """Those worth a comparison: none where the settings are published ones, and no other width
    where a number of weights was asked for."""
    if not settings.tune or settings.recipe == "paper":
        return []
    return [
        name
        for name, variant in VARIANTS.items()
        if name != AS_SET and (variant.width == 1.0 or not settings.params)
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
        ),
    )
