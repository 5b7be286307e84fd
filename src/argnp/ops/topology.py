"""A topology for a graph that comes as PyG's ``edge_index``."""

import torch
from torch import Tensor

from argnp.errors import UserError
from argnp.kernels.topology import Topology


def topology_from_edge_index(
    edge_index: Tensor,
    num_nodes: int,
    batch: Tensor | None = None,
    undirected: bool = False,
) -> Topology:
    """Relations in the order of ``edge_index`` (2, R), so that edge features stay aligned.

    Each column is one directed edge, source above target. Where ``undirected``, each column is
    a pair of nodes named once, and its message flows both ways. ``batch`` (n,) is the graph of
    each node, as PyG numbers them; relations of one graph have to stand together.
    """
    _check(edge_index, num_nodes, batch)
    source, target = edge_index.to(torch.int32).unbind(0)
    if batch is None:
        batch = edge_index.new_zeros(num_nodes)
    graphs = int(batch[-1]) + 1 if num_nodes else 0
    owner = batch.index_select(0, source)
    apart = owner != batch.index_select(0, target)
    if bool(apart.any()):
        column = int(apart.nonzero()[0])
        raise UserError(
            f"edge_index: edge {column}, {int(source[column])} -> {int(target[column])}, joins two "
            "graphs of the batch; give both its nodes the same number in batch"
        )
    if bool((owner[1:] < owner[:-1]).any()):
        raise UserError("edge_index: edges of different graphs are mixed; sort them by graph")
    ends, multiplicity = target, None
    if undirected:
        loop = source == target
        ends = torch.cat([target, source[~loop]])
        multiplicity = torch.where(loop, 1.0, 2.0)
    return Topology(
        num_nodes=num_nodes,
        source=source.contiguous(),
        target=target.contiguous(),
        node_ptr=_pointer(batch, graphs),
        relation_ptr=_pointer(owner, graphs),
        degree=torch.bincount(ends, minlength=num_nodes).float(),
        undirected=undirected,
        multiplicity=multiplicity,
    )


def _check(edge_index: Tensor, num_nodes: int, batch: Tensor | None) -> None:
    if edge_index.dim() != 2 or edge_index.shape[0] != 2:
        raise UserError(f"edge_index: shape {tuple(edge_index.shape)}; it has to be (2, edges)")
    if edge_index.numel() and not 0 <= int(edge_index.min()) <= int(edge_index.max()) < num_nodes:
        raise UserError(
            f"edge_index: names nodes {int(edge_index.min())} to {int(edge_index.max())}; "
            f"there are nodes 0 to {num_nodes - 1}"
        )
    if batch is not None and batch.shape != (num_nodes,):
        raise UserError(f"batch: shape {tuple(batch.shape)}; it has to be ({num_nodes},)")
    if batch is not None and bool((batch[1:] < batch[:-1]).any()):
        raise UserError("batch: graphs are mixed; the nodes of a graph have to stand together")


def _pointer(owner: Tensor, graphs: int) -> Tensor:
    """(graphs + 1,) where each graph's rows begin, from the graph of each row."""
    counts = torch.bincount(owner, minlength=graphs)
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)]).to(torch.int32)
