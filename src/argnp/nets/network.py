"""A whole network, or supernet, from an architecture: encoder, body, head."""

import torch
from torch import Tensor, nn

from argnp.arch import Architecture
from argnp.arch.space import SpaceName
from argnp.data.batch import GraphBatch
from argnp.data.schema import Schema
from argnp.heads.head import Head
from argnp.heads.readout import Readout
from argnp.kernels.core import Core, Pair
from argnp.nets.body import Body, Mixture
from argnp.nets.cores import choose
from argnp.nets.encoders import Encoder
from argnp.nets.widths import Widths


class Network(nn.Module):
    """Predicts from a batch: one row per graph, node or relation, as the task says.

    Built from a decided architecture it is a network; from one with mixture links a supernet,
    whose ``forward`` takes the mixture weights.
    """

    def __init__(
        self,
        architecture: Architecture,
        widths: Widths,
        schema: Schema,
        *,
        dropout: float = 0.0,
        readout: Readout = "mean-max",
        encoder_norm: bool = False,
        core: Core | None = None,
    ) -> None:
        super().__init__()
        relations = architecture.space.relations
        self.core = core or choose("auto").core
        self.encoder = Encoder(
            schema, widths.node, widths.edge, relations=relations, node_norm=encoder_norm
        )
        self.body = Body(architecture, widths, outputs=read_by_head(schema, relations))
        self.head = Head(
            schema.task,
            widths.node_out,
            widths.edge_out if relations else None,
            dropout=dropout,
            readout=readout,
            pairs=schema.task.pairs,
        )

    @property
    def device(self) -> torch.device:
        return self.head.out.weight.device

    def forward(self, batch: GraphBatch, mixture: Mixture | None = None) -> Tensor:
        inputs = Pair(*self.encoder(batch))
        V, E = self.body(inputs, batch.topology, self.core, mixture)
        predicted: Tensor = self.head(V, E, batch, self.core)
        return predicted

    @torch.no_grad()
    def features(self, batch: GraphBatch) -> list[dict[int, Pair]]:
        """Every stream of every cell on this batch, in evaluation mode."""
        training = self.training
        self.eval()
        inputs = Pair(*self.encoder(batch))
        streams = self.body.streams(inputs, batch.topology, self.core, every=True)[1]
        self.train(training)
        return streams


def read_by_head(schema: Schema, relations: bool) -> tuple[SpaceName, ...]:
    """The spaces whose streams the task's head looks at."""
    if schema.task.level == "graph" and relations:
        return ("node", "relation")
    if schema.task.level == "edge" and relations and not schema.task.pairs:
        return ("relation",)
    return ("node",)


def build(
    architecture: Architecture,
    widths: Widths,
    schema: Schema,
    *,
    seed: int,
    dropout: float = 0.0,
    readout: Readout = "mean-max",
    encoder_norm: bool = False,
    core: Core | None = None,
    device: str = "cpu",
) -> Network:
    """A network with weights that depend on the seed alone, whatever the device."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network(
            architecture,
            widths,
            schema,
            dropout=dropout,
            readout=readout,
            encoder_norm=encoder_norm,
            core=core,
        )
    return network.to(device)
