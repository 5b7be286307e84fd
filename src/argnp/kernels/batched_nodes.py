"""Node operations that read the same source, computed together."""

from collections.abc import Sequence

import torch
from torch import Tensor

from argnp.kernels.batched_aggregate import LARGEST, MOMENTS, Largest, Moments
from argnp.kernels.batched_film import Film, film, film_grad
from argnp.kernels.batched_linear import (
    Weights,
    act_,
    act_grad_,
    grouped,
    grouped_input_grad,
    grouped_weight_grad,
    wide,
    wide_input_grad,
    wide_weight_grad,
)
from argnp.kernels.batched_routes import Routes
from argnp.kernels.core import SLOPE
from argnp.kernels.layout import Layout, node_layout

NODE_TILES = (MOMENTS, LARGEST)


class NodeTile:
    """``h = act(mlp1 act(V))``; ``U = mlp2 h``; ``M = gamma(E) U_s + beta(E)``;
    ``y = out aggregate M``, for k operations on the nodes (n, d_V) and relations (R, d_E).

    Backward gathers and modulates the messages again: they are the largest tensors by far.
    """

    def __init__(self, operations: Sequence[str]) -> None:
        self._aggregate = Largest() if operations[0] in LARGEST else Moments(operations)

    @staticmethod
    def layout(V: Tensor, E: Tensor | None) -> Layout:
        """Of the bank rows that the tile reads."""
        edge_dim = 0 if E is None else E.shape[1]
        return node_layout(V.shape[1], edge_dim, relations=E is not None)

    def forward(
        self, V: Tensor, E: Tensor | None, weights: Weights, routes: Routes, out: Tensor
    ) -> tuple[Tensor, ...]:
        """Writes y (n, k, d_V) to ``out``; gives what backward needs."""
        h = act_(wide(torch.nn.functional.leaky_relu(V, SLOPE), weights, "mlp1"))
        U = grouped(h, weights, "mlp2")
        modulation = None if E is None else film(wide(E, weights, "film1"), weights)
        messages = U.index_select(0, routes.source)
        if modulation is not None:
            messages = _modulate(messages, modulation, routes)
        value, mean = self._aggregate.forward(messages, routes)
        grouped(value, weights, "out", out)
        return (h, U, value, mean, *(modulation or ()))

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
        h, U, value, mean = saved[:4]
        modulation = None if E is None else Film(*saved[4:])
        if into is not None:
            grouped_weight_grad(value, dy, into, "out")
        if not (need_V or need_E or into is not None):
            return None, None
        dvalue = grouped_input_grad(dy, weights, "out")
        source = U.index_select(0, routes.source)
        messages = None
        if self._aggregate.needs_messages:
            messages = source if modulation is None else _modulate(source, modulation, routes)
        dmessages = self._aggregate.backward(dvalue, value, mean, messages, routes)
        del messages, dvalue
        dmessages = routes.silence_(dmessages)

        dE = None
        if E is not None and modulation is not None and (need_E or into is not None):
            dbeta, dgamma = _modulation_grad(dmessages, source, routes)
            dfirst = film_grad(modulation, dgamma, dbeta, weights, into)
            if into is not None:
                wide_weight_grad(E, dfirst, into, "film1")
            dE = wide_input_grad(dfirst, weights, "film1") if need_E else None
            del dgamma, dbeta, dfirst
        del source

        if not (need_V or into is not None):
            return None, dE
        if modulation is not None:
            _halves(dmessages, routes).mul_(modulation.gamma)
        dU = routes.out_of.sum(dmessages)
        del dmessages
        dh = act_grad_(grouped_input_grad(dU, weights, "mlp2"), h)
        x = torch.nn.functional.leaky_relu(V, SLOPE)
        if into is not None:
            grouped_weight_grad(h, dU, into, "mlp2")
            wide_weight_grad(x, dh, into, "mlp1")
        return (act_grad_(wide_input_grad(dh, weights, "mlp1"), x) if need_V else None), dE


def _halves(messages: Tensor, routes: Routes) -> Tensor:
    """(halves * R, k, d) -> (halves, R, k, d)."""
    return messages.view(routes.halves, -1, *messages.shape[1:])


def _modulate(source: Tensor, modulation: Film, routes: Routes) -> Tensor:
    """``gamma * source + beta``, each relation's pair for its messages in all halves."""
    halves = _halves(source, routes)
    return torch.addcmul(modulation.beta, modulation.gamma, halves).view_as(source)


def _modulation_grad(dmessages: Tensor, source: Tensor, routes: Routes) -> tuple[Tensor, Tensor]:
    """Gradients of beta and gamma (R, k, d): summed over the halves."""
    if routes.halves == 1:
        return dmessages, dmessages * source
    (there, back), (source_there, source_back) = _halves(dmessages, routes), _halves(source, routes)
    return there + back, (there * source_there).addcmul_(back, source_back)
