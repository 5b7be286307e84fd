"""Every generator: its recipe, how many graphs it makes, and the metric it is judged by."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from argnp.data.generators.cluster import ClusterRecipe, cluster
from argnp.data.generators.digits import DigitsRecipe, digits
from argnp.data.generators.generated import Counts
from argnp.data.generators.pattern import PatternRecipe, pattern
from argnp.data.generators.shapes import ShapesRecipe, shapes
from argnp.data.generators.superpixels_recipe import SuperpixelsRecipe, superpixels
from argnp.data.generators.tsp import TspRecipe, tsp
from argnp.errors import UserError


@dataclass(frozen=True)
class Generator:
    """``full``: graphs of the published benchmark; ``small``: what stands in for it when it is
    named and nothing is there. None: as many as there are images. ``lasting``: it takes so long
    that it tells its ``progress``."""

    recipe: type[msgspec.Struct]
    make: Callable[..., Any]  # (recipe, counts, seed[, progress]) -> Generated
    metric: str
    full: Counts | None
    small: Counts | None
    lasting: bool = False


GENERATORS: Final[dict[str, Generator]] = {
    "cluster": Generator(
        ClusterRecipe, cluster, "balanced_accuracy", (10_000, 1_000, 1_000), (1_000, 200, 200)
    ),
    "pattern": Generator(
        PatternRecipe, pattern, "balanced_accuracy", (10_000, 2_000, 2_000), (1_000, 200, 200)
    ),
    "tsp": Generator(TspRecipe, tsp, "f1", (10_000, 1_000, 1_000), (120, 30, 30), lasting=True),
    "superpixels": Generator(SuperpixelsRecipe, superpixels, "accuracy", None, None, lasting=True),
    "digits": Generator(DigitsRecipe, digits, "accuracy", (1_257, 270, 270), (1_257, 270, 270)),
    "shapes": Generator(ShapesRecipe, shapes, "accuracy", (2_400, 600, 600), (960, 240, 240)),
}


def generator(name: str) -> Generator:
    """The generator of this name."""
    try:
        return GENERATORS[name]
    except KeyError:
        raise UserError(f"there is no generator {name!r}; choose {', '.join(GENERATORS)}") from None


def read_recipe(name: str, parameters: Mapping[str, object]) -> msgspec.Struct:
    """The recipe with these parameters; text such as ``"0.5"`` counts as the number it spells."""
    kind = generator(name).recipe
    legal = {field.name: field.default for field in msgspec.structs.fields(kind)}
    for parameter in parameters:
        if parameter not in legal:
            listed = ", ".join(f"{key}={value}" for key, value in legal.items())
            raise UserError(f"{name} has no parameter {parameter!r}; it has {listed}")
    try:
        return msgspec.convert(dict(parameters), kind, strict=False)
    except msgspec.ValidationError as wrong:
        what, _, where = str(wrong).partition(" - at `$.")
        raise UserError(f"{name}, parameter {where.rstrip('`')}: {what}") from None
