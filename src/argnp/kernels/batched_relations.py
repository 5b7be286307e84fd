"""Relation operations that read the same source, computed together."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from argnp.kernels.batched_film import Film, film, film_grad
from argnp.kernels.batched_linear import (
    Weights,
    act_grad_,
    grouped,
    grouped_input_grad,
    grouped_weight_grad,
)
from argnp.kernels.batched_routes import Routes
from argnp.kernels.core import SLOPE
from argnp.kernels.layout import Layout, relation_layout

FUNCTIONS: Final = ("E_SUB", "E_GAUSS", "E_HAD", "E_MAX", "E_SUM", "E_MEAN")
RELATION_TILES = (FUNCTIONS,)


class RelationTile:
    """``gamma, beta = film(function(V_s, V_t))``; ``y = out (gamma * act(E) + beta)``, for k
    operations on the nodes (n, d_V) and relations (R, d_E)."""

    def __init__(self, operations: Sequence[str]) -> None:
        self._operations = operations

    @staticmethod
    def layout(V: Tensor, E: Tensor | None) -> Layout:
        """Of the bank rows that the tile reads."""
        assert E is not None
        return relation_layout(V.shape[1], E.shape[1])

    def forward(
        self, V: Tensor, E: Tensor | None, weights: Weights, routes: Routes, out: Tensor
    ) -> tuple[Tensor, ...]:
        """Writes y (R, k, d_E) to ``out``; gives what backward needs."""
        assert E is not None
        modulation = film(grouped(self._inputs(V, routes), weights, "film1"), weights)
        grouped(_modulate(E, modulation), weights, "out", out)
        return modulation

    def backward(
        self,
        dy: Tensor,
        V: Tensor,
        E: Tensor | None,
        weights: Weights,
        saved: Sequence[Tensor],
        routes: Routes,
        into: Weights | None,
        need_V: bool,
        need_E: bool,
    ) -> tuple[Tensor | None, Tensor | None]:
        """Gradients of V and E, where needed; those of the weights go ``into`` their place."""
        assert E is not None
        modulation = Film(*saved)
        if into is not None:
            grouped_weight_grad(_modulate(E, modulation), dy, into, "out")
        if not (need_V or need_E or into is not None):
            return None, None
        dbeta = grouped_input_grad(dy, weights, "out")
        x = torch.nn.functional.leaky_relu(E, SLOPE)
        dE = act_grad_((dbeta * modulation.gamma).sum(1), x) if need_E else None
        if not (need_V or into is not None):
            return None, dE
        dfirst = film_grad(modulation, dbeta * x[:, None], dbeta, weights, into)
        if into is not None:
            grouped_weight_grad(self._inputs(V, routes), dfirst, into, "film1")
        if not need_V:
            return None, dE
        return self._inputs_grad(grouped_input_grad(dfirst, weights, "film1"), V, routes), dE

    def _inputs(self, V: Tensor, routes: Routes) -> Tensor:
        """The functions of both ends: (R, k, d_V)."""
        V_s, V_t, difference = _ends(V, routes)
        x = V.new_empty(V_s.shape[0], len(self._operations), V.shape[1])
        for name, out in zip(self._operations, x.unbind(1), strict=True):
            if name == "E_SUB":
                out.copy_(difference.abs() if routes.undirected else difference)
            elif name == "E_GAUSS":
                torch.exp(difference.square().mul_(-0.5), out=out)
            elif name == "E_HAD":
                torch.mul(V_s, V_t, out=out)
            elif name == "E_MAX":
                torch.maximum(V_s, V_t, out=out)
            else:
                torch.add(V_s, V_t, out=out)
                if name == "E_MEAN":
                    out.mul_(0.5)
        return x

    def _inputs_grad(self, grad: Tensor, V: Tensor, routes: Routes) -> Tensor:
        """Gradient of V: (R, k, d_V) -> (n, d_V).

        All functions but the product pass to their ends what is equal on both (``even``) or of
        opposite sign (``odd``): the source gets their sum, the target their difference.
        """
        V_s, V_t, difference = _ends(V, routes)
        even, odd = torch.zeros_like(V_s), torch.zeros_like(V_s)
        ends = V.new_zeros(2, *V_s.shape)
        for name, g in zip(self._operations, grad.unbind(1), strict=True):
            if name == "E_SUB":
                odd.add_(g * difference.sign() if routes.undirected else g)
            elif name == "E_GAUSS":
                slope = torch.exp(difference.square().mul_(-0.5)).mul_(difference)
                odd.addcmul_(g, slope, value=-1)
            elif name == "E_HAD":
                ends.addcmul_(g, torch.stack([V_t, V_s]))
            elif name == "E_MAX":
                even.add_(g, alpha=0.5)
                odd.addcmul_(g, difference.sign(), value=0.5)
            else:
                even.add_(g, alpha=0.5 if name == "E_MEAN" else 1.0)
        ends[0].add_(even).add_(odd)
        ends[1].add_(even).sub_(odd)
        return routes.ends.sum(ends.flatten(0, 1))


def _ends(V: Tensor, routes: Routes) -> tuple[Tensor, Tensor, Tensor]:
    """V_s, V_t and V_s - V_t, each (R, d_V)."""
    V_s = V.index_select(0, routes.relation_source)
    V_t = V.index_select(0, routes.relation_target)
    return V_s, V_t, V_s - V_t


def _modulate(E: Tensor, modulation: Film) -> Tensor:
    """``gamma * act(E) + beta``: (R, k, d_E)."""
    x = torch.nn.functional.leaky_relu(E, SLOPE)
    return torch.addcmul(modulation.beta, modulation.gamma, x[:, None])
