"""The nearest points in compiled code, against all distances in float64."""

import pytest
import torch
from torch import Tensor

from argnp.kernels.fused import unavailable
from argnp.kernels.fused_neighbours import nearest_in_clouds

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def by_distance(points: Tensor, k: int) -> Tensor:
    """By all distances; equally far ones in the order of their numbers."""
    exact = points.double()
    squares = (exact[:, :, None] - exact[:, None]).square().sum(-1)
    squares.diagonal(dim1=1, dim2=2).fill_(torch.inf)
    return squares.sort(dim=2, stable=True).indices[..., :k].int()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    ("clouds", "count", "dims", "k"),
    [(3, 200, 3, 9), (1, 2, 3, 1), (2, 10, 3, 9), (1, 17, 1, 4), (1, 300, 5, 40), (0, 5, 3, 2)],
)
def test_against_all_distances(clouds: int, count: int, dims: int, k: int, threads: int) -> None:
    points = torch.randn(clouds, count, dims, generator=torch.Generator().manual_seed(count))
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        found = nearest_in_clouds(points, k)
    finally:
        torch.set_num_threads(before)
    assert torch.equal(found, by_distance(points, k))


def test_equally_far_and_in_one_place() -> None:
    grid = torch.cartesian_prod(*[torch.arange(4.0)] * 3)
    points = torch.stack([grid, torch.zeros_like(grid)])
    assert torch.equal(nearest_in_clouds(points, 7), by_distance(points, 7))


def test_far_from_the_origin() -> None:
    points = 1000 + torch.rand(1, 400, 3, generator=torch.Generator().manual_seed(0)) / 8
    assert torch.equal(nearest_in_clouds(points, 9), by_distance(points, 9))
