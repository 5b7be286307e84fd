"""What many PyG graphs hold under one name, stacked: from a list, or as a dataset stores it."""

import warnings
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from argnp.data.spans import cut
from argnp.errors import UserError

Int64 = NDArray[np.int64]
INDICES: Final = ("edge_index", "edge_label_index")
NAMES: Final = ("x", "pos", "edge_attr", "edge_weight", "y", "edge_label", *INDICES)

# What transforms of PyG leave in place of what is read, and what to do about it.
_UNREAD: Final = {
    "adj_t": ("edge_index", "leave out ToSparseTensor"),
    "pos_edge_label_index": ("edge_label_index", "use RandomLinkSplit(split_labels=False)"),
    "neg_edge_label_index": ("edge_label_index", "use RandomLinkSplit(split_labels=False)"),
}


class Stack(NamedTuple):
    """``rows`` of all graphs on top of each other, ``counts[g]`` of them of graph g.

    Node pairs are rows too, (pairs, 2).
    """

    rows: Tensor
    counts: Int64


class Stacks(NamedTuple):
    """Everything of every graph that is understood here, by name, and the graphs' sizes."""

    by_name: dict[str, Stack]
    nodes: Int64  # (G,)


def stack_list(graphs: Sequence[Any]) -> Stacks:
    """Of a list of Data."""
    for number, graph in enumerate(graphs):
        _refuse_unread(f"graph {number}", graph)
    with warnings.catch_warnings():  # that the number of nodes is a guess where nothing tells it
        warnings.simplefilter("ignore")
        nodes = np.array([_num_nodes(i, g) for i, g in enumerate(graphs)], dtype=np.int64)
    stacks = {}
    for name in NAMES:
        values = [getattr(graph, name, None) for graph in graphs]
        missing = [i for i, value in enumerate(values) if value is None]
        if len(missing) == len(values):
            continue
        if missing and name != "edge_index":
            raise UserError(f"graph {missing[0]} has no {name}, others have; give all or none")
        rows = [
            _pairs(i, value, name) if name in INDICES else _rows(i, value, name)
            for i, value in enumerate(values)
        ]
        counts = np.array([r.shape[0] for r in rows], dtype=np.int64)
        for i, r in enumerate(rows):
            if r.shape[1:] != rows[0].shape[1:]:
                raise UserError(
                    f"graph {i}: {name} has rows of shape {tuple(r.shape[1:])}, graph 0 of "
                    f"{tuple(rows[0].shape[1:])}; make them equal"
                )
        stacks[name] = Stack(torch.cat(rows), counts)
    return Stacks(stacks, nodes)


def stack_collated(dataset: Any) -> Stacks | None:
    """Of an InMemoryDataset, from the tensors it holds anyway; None where that cannot be done.

    A transform, a Data class of the user's own, or sizes that stand nowhere ask for the graphs
    one by one.
    """
    from torch_geometric.data import Data, InMemoryDataset

    if not isinstance(dataset, InMemoryDataset) or dataset.transform is not None:
        return None
    data, slices = dataset._data, dataset.slices
    if type(data) is not Data or not isinstance(slices, dict):
        return None
    _refuse_unread("the dataset", data)
    picked = np.asarray(dataset.indices(), dtype=np.int64)
    found = {}
    for name in (name for name in NAMES if name in data):
        value = data[name]
        if not isinstance(value, Tensor) or value.layout != torch.strided or name not in slices:
            return None
        spans = cut(np.asarray(slices[name], dtype=np.int64), picked)
        rows = value.t() if name in INDICES else value
        index = spans.index
        of_picked = rows[index if isinstance(index, slice) else torch.from_numpy(index)]
        found[name] = Stack(of_picked.detach().cpu(), spans.counts)
    if getattr(data, "_num_nodes", None) is not None:
        nodes = np.asarray(data._num_nodes, dtype=np.int64)[picked]
    else:
        of_nodes = found.get("x", found.get("pos"))
        if of_nodes is None:
            return None
        nodes = of_nodes.counts
    return Stacks(found, nodes)


def join_stacks(parts: Sequence[Stacks]) -> Stacks:
    """Of all graphs of several parts."""
    joined = {}
    for name in dict.fromkeys(name for part in parts for name in part.by_name):
        stacks = [part.by_name.get(name) for part in parts]
        if name == "edge_index":  # absent where no graph of a part has an edge
            stacks = [s or _no_pairs(part.nodes) for s, part in zip(stacks, parts, strict=True)]
        present = [stack for stack in stacks if stack is not None]
        if len(present) < len(parts):
            raise UserError(f"some splits have {name}, others have not; give all or none")
        shapes = [tuple(stack.rows.shape[1:]) for stack in present]
        if len(set(shapes)) > 1:
            raise UserError(f"{name} has rows of shapes {shapes} in the splits; make them equal")
        rows = torch.cat([stack.rows for stack in present])
        joined[name] = Stack(rows, np.concatenate([stack.counts for stack in present]))
    return Stacks(joined, np.concatenate([part.nodes for part in parts]))


def _refuse_unread(called: str, data: Any) -> None:
    """Edges or targets that would vanish without a word."""
    for name, (read, way_out) in _UNREAD.items():
        if getattr(data, name, None) is not None and getattr(data, read, None) is None:
            raise UserError(f"{called} has {name}, which is not read; {way_out}, so it has {read}")


def _no_pairs(nodes: Int64) -> Stack:
    return Stack(torch.empty((0, 2), dtype=torch.int64), np.zeros_like(nodes))


def _rows(number: int, value: Any, name: str) -> Tensor:
    try:
        tensor = torch.as_tensor(value).detach().cpu()
    except (TypeError, ValueError, RuntimeError):
        raise UserError(
            f"graph {number}: {name} is of type {type(value).__name__}; it must be a tensor"
        ) from None
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    return tensor.reshape(1) if tensor.ndim == 0 else tensor


def _pairs(number: int, value: Any, name: str) -> Tensor:
    """(pairs, 2), also of what is absent or empty in any shape."""
    index = _rows(number, () if value is None else value, name)
    if index.numel() == 0:
        return torch.empty((0, 2), dtype=torch.int64)
    if index.ndim != 2 or index.shape[0] != 2 or index.dtype.is_floating_point:
        raise UserError(
            f"graph {number}: {name} is {index.dtype} of shape {tuple(index.shape)}; "
            "it must be integers of shape (2, edges)"
        )
    return index.t()


def _num_nodes(number: int, graph: Any) -> int:
    nodes = graph.num_nodes
    if nodes is None:
        raise UserError(
            f"graph {number} does not say how many nodes it has; give it x or num_nodes"
        )
    return int(nodes)
