"""The nearest points of every point of some clouds, in compiled code."""

from typing import Final

import torch
from torch import Tensor

from argnp.kernels import fused_abi as abi

MOST: Final = 4096  # points of a cloud: with more of them a tree is faster


def nearest_in_clouds(points: Tensor, k: int) -> Tensor:
    """(C, P, k) int32: of clouds (C, P, a) the k nearest other points, nearest first.

    Distances are told apart in double precision; of equal ones the lower number comes first.
    """
    clouds, count, dims = points.shape
    assert points.dtype == torch.float32
    assert points.is_cpu
    assert 0 < k < count
    points = points.contiguous()
    found = torch.empty(clouds, count, k, dtype=torch.int32)
    problem = abi.Neighbours(
        clouds=clouds,
        points=count,
        dims=dims,
        k=k,
        threads=torch.get_num_threads(),
        P=abi.pointer(points),
        found=abi.pointer(found),
    )
    abi.run("nearest_points", problem)
    return found
