"""What a computation path has to offer: the value of a vertex in one space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from torch import Tensor

from argnp.kernels.topology import Topology

SLOPE: Final = 0.2  # of LeakyReLU
EPS: Final = 1e-5  # of STD, GEM and BatchNorm
MOMENTUM: Final = 0.1  # of running statistics


@dataclass(frozen=True, slots=True)
class Term:
    """One summand of a vertex: an operation applied to a source.

    ``source`` is a position in the streams handed to the core. ``row`` is the operation's row
    in the bank and in the running statistics; -1 for ``skip``, which has neither.
    """

    operation: str
    source: int
    row: int


@dataclass(frozen=True, slots=True)
class Norm:
    """BatchNorm state of a bank: one row per operation; affine parts live in the coefficients.

    In training, batch statistics normalise and the running ones are updated in place; with
    fewer than two rows to normalise, and in evaluation, the running ones normalise. A relation
    counts as often as its multiplicity; the running variance is unbiased.
    """

    mean: Tensor  # (K, d)
    var: Tensor  # (K, d)
    training: bool


class Core(Protocol):
    """Computes ``sum over terms of coef[term] * x``, ``coef`` of shape (terms, d).

    ``x`` is ``norm(y)`` of the operation's output ``y`` for a term with a bank row, and the
    source itself for ``skip``. Gradients flow to bank, coef and streams, each only if required.
    """

    name: str

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
        """Node stream of a vertex, (n, d_V). ``E`` is None where relations are off."""
        ...

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
        """Relation stream of a vertex, (R, d_E)."""
        ...
