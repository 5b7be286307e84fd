"""Superpixel graphs: images as a few patches of similar colour, related to those near them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.data.generators.generated import pointers
from argnp.data.molecules.convert import Progress
from argnp.data.raw import RawGraphs
from argnp.errors import UserError

NEIGHBOURS = 8
Image = NDArray[Any]


def superpixel_graphs(
    images: Sequence[Image],
    y: NDArray[np.int64],
    labels: tuple[str, ...],
    *,
    at_most: int,
    compactness: float,
    progress: Progress | None = None,
) -> RawGraphs:
    """Node features: mean colour and centre, in 0..1. Edge feature: the weight of nearness.

    Every patch is related to the 8 with the strongest weights, source: itself.
    """
    parts = []
    for image in images:
        parts.append(_graph(image, at_most, compactness))
        if progress is not None:
            progress(len(parts), len(images))
    return RawGraphs(
        node_ptr=pointers([len(x) for x, _, _ in parts]),
        edge_ptr=pointers([edges.shape[1] for _, edges, _ in parts]),
        edge_index=np.concatenate([edges for _, edges, _ in parts], axis=1),
        x=np.concatenate([x for x, _, _ in parts]),
        edge_attr=np.concatenate([weights for _, _, weights in parts])[:, None],
        y=y,
        labels=labels,
    )


def patches(image: Image, at_most: int, compactness: float) -> NDArray[np.int64]:
    """(height, width) number of the patch that every pixel belongs to, from 0, by SLIC.

    SLIC makes about as many as it is asked for: it is asked for more, then for fewer and fewer
    until there are ``at_most``.
    """
    try:
        from skimage.segmentation import slic
    except ImportError:
        raise UserError(
            "superpixels: scikit-image cuts the images; pip install 'argnp[image]'"
        ) from None
    wanted = max(1, at_most * 4 // 3)
    while True:
        cut = slic(
            image,
            n_segments=wanted,
            compactness=compactness,
            start_label=0,
            channel_axis=-1 if image.ndim == 3 else None,
        )
        used, number = np.unique(cut, return_inverse=True)
        if len(used) <= at_most or wanted == 1:
            return number.reshape(cut.shape).astype(np.int64)
        wanted = max(1, wanted - max(1, (len(used) - at_most) // 2))


def near(centres: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, n) ``A_ij = exp(-(d_ij / sigma_i)^2)``, averaged with its transpose.

    ``sigma_i`` is the mean distance from i to its 8 nearest; the diagonal is 0.
    """
    apart = np.linalg.norm(centres[:, None] - centres, axis=2)
    k = min(NEIGHBOURS, len(centres) - 1)
    sigma = np.sort(apart, axis=1)[:, 1 : k + 1].mean(axis=1) if k else np.ones(1)
    weights = np.exp(-((apart / np.maximum(sigma, 1e-8)[:, None]) ** 2))
    np.fill_diagonal(weights, 0)
    symmetric: NDArray[np.float64] = (weights + weights.T) / 2
    return symmetric


def _graph(
    image: Image, at_most: int, compactness: float
) -> tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]:
    colours = image.astype(np.float64) / (255 if image.dtype == np.uint8 else 1)
    number = patches(colours, at_most, compactness).ravel()
    area = np.bincount(number)
    rows, columns = np.indices(image.shape[:2]).reshape(2, -1)
    centres = np.stack(
        [
            np.bincount(number, at) / area / max(size - 1, 1)
            for at, size in ((columns, image.shape[1]), (rows, image.shape[0]))
        ],
        axis=1,
    )
    flat = colours.reshape(len(number), -1)
    colour = np.stack([np.bincount(number, c) / area for c in flat.T], axis=1)
    weights = near(centres)
    k = min(NEIGHBOURS, len(area) - 1)
    strongest = np.argsort(-weights, axis=1, kind="stable")[:, :k]
    source = np.repeat(np.arange(len(area)), k)
    edges = np.stack([source, strongest.ravel()]).astype(np.int32)
    x = np.concatenate([colour, centres], axis=1).astype(np.float32)
    return x, edges, weights[edges[0], edges[1]].astype(np.float32)
