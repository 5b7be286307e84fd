"""The superpixel sets of CIFAR10 and MNIST, from any images."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from argnp.data.dataset import Split
from argnp.data.generators.generated import NAMES, Counts, Generated
from argnp.data.generators.images import Images, read_images
from argnp.data.generators.superpixels import superpixel_graphs
from argnp.data.molecules.convert import Progress
from argnp.data.splits import split_stratified
from argnp.errors import UserError

# Images in colour, patches at most, and how square SLIC keeps them.
_STYLES = {"cifar10": (True, 150, 10.0), "mnist": (False, 75, 0.25)}


class SuperpixelsRecipe(msgspec.Struct, frozen=True):
    """``images``: the folder. ``patches`` and ``compactness`` default to those of ``style``."""

    images: str = ""
    style: Literal["cifar10", "mnist"] = "cifar10"
    patches: Annotated[int, Meta(ge=2)] | None = None
    compactness: Annotated[float, Meta(gt=0)] | None = None


def superpixels(
    recipe: SuperpixelsRecipe, counts: Counts | None, seed: int, progress: Progress | None = None
) -> Generated:
    """Graph classification. Without ``counts`` every image is used: by the folder's own splits,
    or 80%, 10% and 10% of every class."""
    if not recipe.images:
        raise UserError("superpixels: say where the images are with images=FOLDER")
    colour, at_most, compactness = _STYLES[recipe.style]
    images = read_images(Path(recipe.images), colour=colour)
    chosen = _choose(images, counts, seed)
    numbers = np.concatenate([chosen[name] for name in NAMES])
    graphs = superpixel_graphs(
        [images.pictures[i] for i in numbers],
        images.y[numbers],
        images.labels,
        at_most=recipe.patches or at_most,
        compactness=recipe.compactness or compactness,
        progress=progress,
    )
    ends = np.cumsum([0, *(len(chosen[name]) for name in NAMES)])
    return Generated(graphs, {n: np.arange(ends[i], ends[i + 1]) for i, n in enumerate(NAMES)})


def _choose(images: Images, counts: Counts | None, seed: int) -> dict[Split, NDArray[np.int64]]:
    splits = images.splits
    if splits is None:
        everything = np.arange(len(images.y))
        sizes = (0.8, 0.1, 0.1) if counts is None else counts
        splits = split_stratified(everything, images.y, sizes, seed)
    if counts is None:
        return splits
    rng = np.random.default_rng([seed, 7])
    chosen: dict[Split, NDArray[np.int64]] = {}
    for name, count in zip(NAMES, counts, strict=True):
        if count > len(splits[name]):
            raise UserError(
                f"superpixels: {count} {name} graphs wanted, there are {len(splits[name])} images"
            )
        chosen[name] = np.sort(rng.permutation(splits[name])[:count])
    return chosen
