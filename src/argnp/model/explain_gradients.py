"""Integrated gradients on the first streams: how much each node and relation moved a number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from argnp.data.batch import GraphBatch
from argnp.kernels.core import Pair
from argnp.kernels.topology import Topology
from argnp.nets.network import Network

Numbers = NDArray[np.float64]
Explained = Callable[[Tensor], Tensor]  # (networks, copies, rows, outputs) to (copies,)

STEPS: Final = 32  # on the way from blank to the graph as it is
LEAST: Final = 8  # of a large graph
LARGEST: Final = 50_000  # nodes and relations, above which an explanation takes too long
_MOST: Final = 100_000  # nodes and relations that are gone through, over all steps
_AT_ONCE: Final = 40_000  # of these, in memory

METHOD: Final = (
    "Integrated gradients: node and relation features, as the network's encoder gives them, are "
    "faded in from blank (zero); what a node or relation adds on the way is its importance, and "
    "all importances add up to the difference from the blank graph's prediction (of a class: of "
    "its log-odds)"
)


@dataclass(frozen=True)
class Attribution:
    """``node`` (n,) and ``relation`` (R,) sum to about ``value - blank``.

    ``relation`` is empty where the network has no relation stream.
    """

    node: Numbers
    relation: Numbers
    value: float
    blank: float


def steps_for(batch: GraphBatch) -> int:
    """Fewer for large graphs, so that an explanation takes seconds."""
    items = max(1, batch.topology.num_nodes + batch.topology.num_relations)
    return max(LEAST, min(STEPS, _MOST // items))


def attribute(networks: Sequence[Network], batch: GraphBatch, explained: Explained) -> Attribution:
    """For a number per graph that ``explained`` takes from the outputs of all networks.

    With V and E the first streams of a network (the encoder's output), f the number, m steps::

        node_i = sum over features d of V_id * mean over k of df/dV_id at ((k - 1/2) / m) (V, E)

    and relations likewise, summed over the networks; all their V and E are faded in together.
    Blank is all zero.
    """
    steps = steps_for(batch)
    batch = batch.to(networks[0].device)
    topology = batch.topology
    with torch.no_grad():
        pairs = [network.eval().encoder(batch) for network in networks]
    streams = [X for pair in pairs for X in pair if X is not None]
    totals = [torch.zeros_like(X) for X in streams]
    items = max(1, topology.num_nodes + topology.num_relations)
    chunk = max(1, _AT_ONCE // (items * len(networks)))
    shares = [0.0, 1.0, *((k + 0.5) / steps for k in range(steps))]
    values: list[float] = []
    for begin in range(0, len(shares), chunk):
        here = streams[0].new_tensor(shares[begin : begin + chunk])
        copies = _copies(batch, len(here))
        faded = [(here[:, None, None] * X).flatten(0, 1).requires_grad_() for X in streams]
        found = explained(_outputs(networks, faded, copies, len(here)))
        values += found.detach().tolist()
        inside = torch.arange(begin, begin + len(here), device=found.device) >= 2
        gradients = torch.autograd.grad((found * inside).sum(), faded, allow_unused=True)
        for total, gradient in zip(totals, gradients, strict=True):
            if gradient is not None:
                total.add_(gradient.view(len(here), *total.shape).sum(0))
    added = [(X * total).sum(1) / steps for X, total in zip(streams, totals, strict=True)]
    each = len(streams) // len(networks)  # 1 without a relation stream
    return Attribution(
        node=_sum(added[::each]),
        relation=_sum(added[1::each]) if each > 1 else np.empty(0),
        value=values[1],
        blank=values[0],
    )


def _outputs(
    networks: Sequence[Network], streams: Sequence[Tensor], batch: GraphBatch, copies: int
) -> Tensor:
    """(networks, copies, rows, outputs) from the first streams of each."""
    each = len(streams) // len(networks)
    outputs = []
    for number, network in enumerate(networks):
        V, E = (*streams[number * each : (number + 1) * each], None)[:2]
        assert V is not None
        body = network.body(Pair(V, E), batch.topology, network.core)
        out = network.head(*body, batch, network.core)
        outputs.append(out.view(copies, -1, out.shape[1]))
    return torch.stack(outputs)


def _sum(parts: Sequence[Tensor]) -> Numbers:
    total: Numbers = torch.stack([part.double() for part in parts]).sum(0).cpu().numpy()
    return total


def _copies(batch: GraphBatch, count: int) -> GraphBatch:
    """The graph ``count`` times, end to end, as body and head read it."""
    one = batch.topology
    nodes, relations = one.num_nodes, one.num_relations

    def shifted(index: Tensor, by: int) -> Tensor:
        shift = torch.arange(count, dtype=index.dtype, device=index.device) * by
        return (index + shift.view(-1, *[1] * index.dim())).flatten(0, 1)

    def ptr(index: Tensor, by: int) -> Tensor:
        return torch.cat([index[:1], shifted(index[1:], by)])

    topology = Topology(
        num_nodes=count * nodes,
        source=shifted(one.source, nodes),
        target=shifted(one.target, nodes),
        node_ptr=ptr(one.node_ptr, nodes),
        relation_ptr=ptr(one.relation_ptr, relations),
        degree=one.degree.repeat(count),
        undirected=one.undirected,
        multiplicity=None if one.multiplicity is None else one.multiplicity.repeat(count),
    )
    pairs = batch.edge_label_index
    return replace(
        batch,
        topology=topology,
        edge_label_index=None if pairs is None else shifted(pairs.T, nodes).T,
    )
