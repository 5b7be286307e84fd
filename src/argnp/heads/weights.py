"""How much each target counts, in losses and metrics alike."""

from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.data.schema import Level


def target_weight(level: Level, batch: GraphBatch) -> Tensor:
    """The batch's weights, of the target's shape; a relation counts as often as its multiplicity.

    Weights that are given per row hold for every column of the row.
    """
    target = batch.target
    assert target is not None
    weight = batch.weight
    if weight is None:
        weight = target.new_ones(target.shape, dtype=batch.topology.degree.dtype)
    if weight.dim() < target.dim():
        weight = weight[:, None].expand(target.shape)
    multiplicity = batch.topology.multiplicity
    if level == "edge" and batch.edge_label_index is None and multiplicity is not None:
        weight = weight * multiplicity.view(-1, *[1] * (weight.dim() - 1))
    return weight
