"""From the data's columns to the first streams of the network."""

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from argnp.data.batch import GraphBatch
from argnp.data.schema import Features, Schema
from argnp.heads.batchnorm import WeightedBatchNorm


class FeatureEncoder(nn.Module):
    """Columns to a stream: embeddings summed over code columns, or one Linear.

    Codes have a slot more than values: the last one stands for what is in no vocabulary. A code
    that no training batch had adds nothing; its row is still the random one it began as. Where
    the data has no columns, a constant 1 takes their place.
    """

    def __init__(self, features: Features, width: int) -> None:
        super().__init__()
        self.features = features
        if features.kind == "codes":
            slots = [size + 1 for size in features.sizes]
            self.embedding = nn.Embedding(sum(slots), width)
            first = torch.tensor([sum(slots[:c]) for c in range(len(slots))])
            self.register_buffer("first", first, persistent=False)
            self.register_buffer("seen", torch.zeros(sum(slots), 1, dtype=torch.bool))
        else:
            self.linear = nn.Linear(max(features.width, 1), width)

    first: Tensor
    seen: Tensor

    @property
    def table(self) -> Tensor:
        """(slots, width): rows of all columns, 0 for what training never saw, once it did."""
        return self.embedding.weight * (self.seen | ~self.seen.any())

    def forward(self, columns: Tensor | None, rows: int) -> Tensor:
        """(rows, c) columns, or None, to (rows, width)."""
        if self.features.kind == "codes":
            assert columns is not None
            codes = columns + self.first
            if self.training:
                self.seen[codes] = True
            rows_of = self.embedding.weight if self.training else self.table
            found = embedding(codes, rows_of)
            return found.squeeze(1) if columns.shape[1] == 1 else found.sum(1)
        if columns is None:
            columns = self.linear.weight.new_ones(rows, 1)
        encoded: Tensor = self.linear(columns.to(self.linear.weight.dtype))
        return encoded


class Encoder(nn.Module):
    """Both first streams: nodes with their positional encoding added, and relations."""

    def __init__(
        self,
        schema: Schema,
        node_dim: int,
        edge_dim: int,
        *,
        relations: bool,
        node_norm: bool = False,
    ) -> None:
        super().__init__()
        self.node = FeatureEncoder(schema.node, node_dim)
        self.node_norm = WeightedBatchNorm(node_dim) if node_norm else None
        self.encoding = (
            nn.Linear(schema.encoding.width, node_dim) if schema.encoding.kind != "none" else None
        )
        self.edge = FeatureEncoder(schema.edge, edge_dim) if relations else None

    def forward(self, batch: GraphBatch) -> tuple[Tensor, Tensor | None]:
        """(n, d_V) and, where relations are on, (R, d_E)."""
        V = self.node(batch.node, batch.topology.num_nodes)
        if self.node_norm is not None:
            V = self.node_norm(V)
        if self.encoding is not None:
            assert batch.encoding is not None
            V = V + self.encoding(batch.encoding.to(V.dtype))
        if self.edge is None:
            return V, None
        return V, self.edge(batch.edge, batch.topology.num_relations)
