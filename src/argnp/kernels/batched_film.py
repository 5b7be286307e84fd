"""The FiLM generators of several operations at once, after their first Linear.

``f = act(first Linear)``, ``z = act(f film2)``, ``gamma = sigmoid(z gamma)``, ``beta = z beta``.
"""

from typing import NamedTuple

from torch import Tensor

from argnp.kernels.batched_linear import (
    Weights,
    act_,
    act_grad_,
    add_grouped_input_grad,
    grouped,
    grouped_input_grad,
    grouped_weight_grad,
    sigmoid_grad_,
)


class Film(NamedTuple):
    """What the backward pass needs: all (rows, k, width)."""

    f: Tensor
    z: Tensor
    gamma: Tensor
    beta: Tensor


def film(first: Tensor, weights: Weights) -> Film:
    """From the first Linear's output, which is overwritten."""
    f = act_(first)
    z = act_(grouped(f, weights, "film2"))
    return Film(f, z, grouped(z, weights, "gamma").sigmoid_(), grouped(z, weights, "beta"))


def film_grad(
    saved: Film, dgamma: Tensor, dbeta: Tensor, weights: Weights, into: Weights | None
) -> Tensor:
    """Gradient of the first Linear's output; ``dgamma`` is overwritten.

    Gradients of the later layers' weights are written to ``into``, unless it is None.
    """
    f, z, gamma, _ = saved
    dgamma = sigmoid_grad_(dgamma, gamma)
    dz = grouped_input_grad(dgamma, weights, "gamma")
    add_grouped_input_grad(dz, dbeta, weights, "beta")
    act_grad_(dz, z)
    if into is not None:
        grouped_weight_grad(z, dgamma, into, "gamma")
        grouped_weight_grad(z, dbeta, into, "beta")
        grouped_weight_grad(f, dz, into, "film2")
    return act_grad_(grouped_input_grad(dz, weights, "film2"), f)
