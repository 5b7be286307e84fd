"""Whole networks and supernets give the same on every path: outputs, gradients, statistics."""

import random

import pytest
import torch
from torch import Tensor

from argnp.arch import Architecture, Space, sample, undecided
from argnp.kernels.core import Core
from argnp.kernels.fused import unavailable
from argnp.nets.cores import choose
from argnp.nets.network import build
from argnp.nets.widths import Widths
from argnp.ops.reference import ReferenceCore
from tests.nets.conftest import SCHEMA, symmetric_batch

WIDTHS = Widths(9, 5, 11, 7)


def outcome(
    architecture: Architecture, core: Core, dtype: torch.dtype, seed: int
) -> dict[str, Tensor]:
    """Of one training step: output, gradients of weights and alphas, running statistics."""
    network = build(architecture, WIDTHS, SCHEMA, seed=seed, core=core).to(dtype).train()
    mixture = None
    if not architecture.decided:
        rng = torch.Generator().manual_seed(seed)
        operations = len(architecture.space.operations("node"))
        links = {name: len(architecture.mixtures(name)) for name in architecture.space.names}
        mixture = {
            name: torch.rand(count * operations + 1, generator=rng).to(dtype).requires_grad_()
            for name, count in links.items()
        }
    out = network(symmetric_batch(undirected=True, seed=seed), mixture)
    (out * torch.linspace(-1, 2, out.numel(), dtype=dtype).view_as(out)).sum().backward()
    found = {"output": out.detach()}
    for name, leaf in (*network.named_parameters(), *(mixture or {}).items()):
        if leaf.numel() and leaf.grad is not None:
            found[f"gradient of {name}"] = leaf.grad
    buffers = {name: b for name, b in network.named_buffers() if b.is_floating_point()}
    found |= {name: b for name, b in buffers.items() if b.numel()}
    return {name: tensor.double() for name, tensor in found.items()}


def assert_near(found: dict[str, Tensor], exact: dict[str, Tensor], tolerance: float) -> None:
    """Every entry, relative to the largest of its tensor, and of all gradients where that is 0."""
    assert found.keys() == exact.keys()
    largest = max(float(v.abs().max()) for name, v in exact.items() if name.startswith("gradient"))
    for name, value in exact.items():
        scale = max(float(value.abs().max()), 1e-3 * largest)
        error = float((found[name] - value).abs().nan_to_num(torch.inf).max())
        assert error <= tolerance * scale, f"{name}: {error:.1e} of {scale:.1e}"


@pytest.mark.parametrize("cells", [1, 2])
@pytest.mark.parametrize("kind", ["decided", "supernet"])
class TestPaths:
    def architecture(self, kind: str, cells: int, seed: int) -> Architecture:
        space = Space(cells=cells)
        return undecided(3, space) if kind == "supernet" else sample(5, random.Random(seed), space)

    @pytest.mark.parametrize("seed", range(3))
    def test_torch_in_float64(self, kind: str, cells: int, seed: int) -> None:
        architecture = self.architecture(kind, cells, seed)
        exact = outcome(architecture, ReferenceCore(), torch.float64, seed)
        assert_near(outcome(architecture, choose("torch").core, torch.float64, seed), exact, 1e-10)

    @pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
    @pytest.mark.parametrize("seed", range(3))
    def test_fused_in_float32(self, kind: str, cells: int, seed: int) -> None:
        """Within 3e-3: of what reaches the head's BatchNorm over two graphs a thousandth goes on,
        and with it the rounding of all of it. In float64 the same paths agree to 1e-10."""
        architecture = self.architecture(kind, cells, seed)
        exact = outcome(architecture, ReferenceCore(), torch.float64, seed)
        assert_near(outcome(architecture, choose("fused").core, torch.float32, seed), exact, 3e-3)
