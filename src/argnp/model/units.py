"""From what networks put out to numbers in the user's terms, of one network or of several."""

import math

import torch
from torch import Tensor
from torch.nn.functional import log_softmax, logsigmoid

from argnp.data.schema import Kind
from argnp.heads.scaling import Scaling


def combine(outputs: Tensor, kind: Kind) -> Tensor:
    """(rows, columns) from (K, rows, columns): the K networks as one.

    Numbers are averaged. Of logits, those of the mean probability are taken.
    """
    if len(outputs) == 1:
        return outputs[0]
    if kind == "regression":
        return outputs.mean(0)
    if kind == "classification":
        return log_softmax(outputs, -1).logsumexp(0) - math.log(len(outputs))
    return logsigmoid(outputs).logsumexp(0) - logsigmoid(-outputs).logsumexp(0)


def to_units(outputs: Tensor, kind: Kind, scaling: Scaling | None) -> Tensor:
    """Regression: in the units of the targets. Else probabilities of classes, or of labels."""
    if kind == "regression":
        return outputs if scaling is None else scaling.inverse(outputs)
    return outputs.softmax(-1) if kind == "classification" else outputs.sigmoid()


def spread(outputs: Tensor, kind: Kind, scaling: Scaling | None) -> Tensor:
    """(rows, columns) standard deviation over the K networks, in the units of `to_units`."""
    return torch.std(to_units(outputs, kind, scaling), dim=0)
