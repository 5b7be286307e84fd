"""The packaged networks as one module."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from argnp.data.batch import GraphBatch
from argnp.model.manifest import Manifest
from argnp.model.units import combine, to_units
from argnp.nets.network import Network


class PackagedNetwork(nn.Module):
    """``module(batch)``: predictions in the user's units, differentiable."""

    def __init__(self, networks: Sequence[Network], manifest: Manifest) -> None:
        super().__init__()
        self.networks = nn.ModuleList(networks)
        self.manifest = manifest
        self.eval()

    def forward(self, batch: GraphBatch, *, ensemble: bool | None = None) -> Tensor:
        """(rows, outputs) numbers or probabilities; rows as the batch has them.

        ``ensemble``: the mean over all networks, or the first of them; by default, what the
        packaged metrics are of.
        """
        kind = self.manifest.schema.task.kind
        outputs = combine(self.outputs(batch, ensemble=ensemble), kind)
        return to_units(outputs, kind, self.manifest.scaling)

    def outputs(self, batch: GraphBatch, *, ensemble: bool | None = None) -> Tensor:
        """(K, rows, outputs) as the networks put them out: scaled numbers, or logits."""
        all_of_them = self.manifest.ensemble if ensemble is None else ensemble
        device = next(self.parameters()).device
        if batch.topology.source.device != device:
            batch = batch.to(device)
        chosen = list(self.networks) if all_of_them else [self.networks[0]]
        return torch.stack([network(batch) for network in chosen])
