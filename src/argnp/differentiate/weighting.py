"""How the candidates of a mixture link are weighted in a step."""

from collections.abc import Callable

from argnp.differentiate.alphas import Alphas, Weights

Weighting = Callable[[Alphas], Weights]


def softmax(alphas: Alphas) -> Weights:
    """Every candidate by its probability: ``sum over o of softmax(alpha)_o o(x)``."""
    return alphas.probabilities()
