"""Shapes: tell pieces of furniture apart by points on their surface."""

from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from argnp.data.generators.furniture import FURNITURE
from argnp.data.generators.generated import Counts, Generated, graph_rngs, in_order
from argnp.data.generators.solids import joined
from argnp.data.pointclouds import Clouds, Points
from argnp.data.pointclouds_sampling import sample_surface, to_unit_sphere
from argnp.errors import UserError


class ShapesRecipe(msgspec.Struct, frozen=True):
    """``points`` per object; ``noise``: standard deviation, of the unit sphere's radius.

    ``stretch``: every axis is scaled by a factor of 1 / (1 + stretch) to 1 + stretch.
    """

    points: Annotated[int, Meta(ge=2, le=100_000)] = 1024
    noise: Annotated[float, Meta(ge=0, le=1)] = 0.01
    stretch: Annotated[float, Meta(ge=0, le=10)] = 0.15
    classes: Annotated[int, Meta(ge=2)] = len(FURNITURE)


def shapes(recipe: ShapesRecipe, counts: Counts, seed: int) -> Generated:
    """Objects turned at random about the vertical axis, scaled to the unit sphere.

    Classes are drawn in turn, so that every split has as many of each as it can.
    """
    if recipe.classes > len(FURNITURE):
        raise UserError(f"shapes: classes={recipe.classes}, there are {len(FURNITURE)}")
    labels = tuple(FURNITURE)[: recipe.classes]
    y = np.concatenate([np.arange(count) % recipe.classes for count in counts])
    clouds = [
        _cloud(labels[c], recipe, rng)
        for c, rng in zip(y, graph_rngs(counts, seed, recipe=6), strict=True)
    ]
    return Generated(Clouds(np.stack(clouds), y.astype(np.int64), labels), in_order(counts))


def _cloud(kind: str, recipe: ShapesRecipe, rng: np.random.Generator) -> Points:
    mesh = joined(FURNITURE[kind](rng))
    bound = np.log1p(recipe.stretch)
    vertices = mesh.vertices * np.exp(rng.uniform(-bound, bound, size=3))
    turn = rng.uniform(0, 2 * np.pi)
    about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    points = to_unit_sphere(sample_surface(vertices @ about.T, mesh.faces, recipe.points, rng))
    noisy = points + rng.normal(scale=recipe.noise, size=points.shape)
    return to_unit_sphere(noisy.astype(np.float64))
