"""Which computation path a network takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import torch
from torch import Tensor

from argnp.errors import UserError
from argnp.kernels import batched, fused
from argnp.kernels.batched import BatchedCore
from argnp.kernels.core import AffineNorm, Core, Norm, Pair, Step, Term, step_by_step
from argnp.kernels.fused import FusedCore
from argnp.kernels.topology import Segments, Topology
from argnp.ops.reference import ReferenceCore

Kernels = Literal["auto", "fused", "torch", "reference"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A core, and the line that says which it is and why."""

    core: Core
    reason: str


class LayeredCore:
    """The fastest core that can do a term does it.

    The fused core takes float32 on the CPU, the batched one everything else that is built in;
    an operation that a user registered runs as the reference does it.
    """

    def __init__(self, *, use_fused: bool) -> None:
        self.name = "fused" if use_fused else "torch"
        self._fused = FusedCore() if use_fused else None
        self._batched = BatchedCore()
        self._reference = ReferenceCore()

    def nodes(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor] | None,
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        parts = [
            core.nodes(some, bank, coef if which is None else coef[which], V, E, topology, norm)
            for core, some, which in self._share(terms, bank)
        ]
        return torch.stack(parts).sum(0) if len(parts) > 1 else parts[0]

    def relations(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor],
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        parts = [
            core.relations(some, bank, coef if which is None else coef[which], V, E, topology, norm)
            for core, some, which in self._share(terms, bank)
        ]
        return torch.stack(parts).sum(0) if len(parts) > 1 else parts[0]

    def cell(
        self, steps: Sequence[Step], streams: Mapping[int, Pair], topology: Topology
    ) -> dict[int, Pair]:
        """All streams of a cell; the fused core takes it whole where it knows every operation."""
        if self._fused is not None and all(map(_is_for_fused, steps)):
            return self._fused.cell(steps, streams, topology)
        return step_by_step(self, steps, streams, topology)

    def gather(self, streams: Sequence[Tensor], weight: Tensor) -> Tensor:
        """The Linear that ends a cell."""
        return self._fast(weight).gather(streams, weight)

    def norm_act(self, x: Tensor, weight: Tensor | None, norm: AffineNorm) -> Tensor:
        """The end of a layer."""
        return self._fast(x).norm_act(x, weight, norm)

    def read_out(self, rows: Tensor, segments: Segments, *, mean: bool) -> Tensor:
        """One row per graph."""
        return self._fast(rows).read_out(rows, segments, mean=mean)

    def _fast(self, tensor: Tensor) -> Core:
        """The core for what all of them know."""
        fused = self._fused if _in_float32_on_cpu(tensor) else None
        return self._batched if fused is None else fused

    def _share(
        self, terms: Sequence[Term], bank: Tensor
    ) -> list[tuple[Core, Sequence[Term], Tensor | None]]:
        """Cores with the terms each of them computes, and where those stand (None: all)."""
        fast: Core = self._batched
        supports = batched.supports
        if self._fused is not None and _in_float32_on_cpu(bank):
            fast, supports = self._fused, fused.supports
        known = [t.row < 0 or supports(t.operation) for t in terms]
        if all(known):
            return [(fast, terms, None)]
        shares: list[tuple[Core, Sequence[Term], Tensor | None]] = []
        for core, wanted in ((fast, True), (self._reference, False)):
            some = [i for i, flag in enumerate(known) if flag is wanted]
            if some:
                index = torch.tensor(some, device=bank.device)
                shares.append((core, [terms[i] for i in some], index))
        return shares


def _in_float32_on_cpu(bank: Tensor) -> bool:
    return bank.dtype == torch.float32 and bank.device.type == "cpu"


def _is_for_fused(step: Step) -> bool:
    return _in_float32_on_cpu(step.bank) and _known_to_fused(step.terms)


@lru_cache(maxsize=4096)
def _known_to_fused(terms: tuple[Term, ...]) -> bool:
    return all(term.row < 0 or fused.supports(term.operation) for term in terms)


def choose(kernels: Kernels) -> Chosen:
    """The core of this name; ``auto`` takes the fused one where it can be built."""
    if kernels == "reference":
        return Chosen(ReferenceCore(), "reference kernels: one operation at a time, for reading")
    if kernels == "torch":
        return Chosen(LayeredCore(use_fused=False), "torch kernels, as asked for")
    missing = fused.unavailable()
    if missing is None:
        return Chosen(LayeredCore(use_fused=True), "fused kernels on the CPU")
    if kernels == "fused":
        raise UserError(f"--kernels fused: {missing}; --kernels torch needs no compiler")
    return Chosen(LayeredCore(use_fused=False), f"torch kernels ({missing})")
