"""Whatever PyTorch Geometric calls data, on its way to a dataset."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from argnp.data.dataset import Dataset, Split
from argnp.data.ingest import ingest
from argnp.data.pyg import from_stacks, level_of, weights_are_left_out
from argnp.data.pyg_stack import Stacks, join_stacks, stack_collated, stack_list
from argnp.data.raw import RawGraphs
from argnp.data.splits import NAMES
from argnp.errors import UserError

Int64 = NDArray[np.int64]
_MASKS = ("train_mask", "val_mask", "test_mask")
_DRAWN = ("split", "split_sizes")


def from_pyg(
    obj: object, *, name: str = "data", notes: Sequence[str] = (), **options: Any
) -> Dataset:
    """A PyG dataset, a list of Data, a (train, val, test) triple of them, or one Data.

    ``options`` are those of :func:`argnp.data.ingest.ingest`. One Data with targets on its nodes
    or edges is split by row: by its masks, or drawn.
    """
    told = list(notes)
    splits: Mapping[Split, Int64] | None
    if _is_triple(obj):
        _refuse(options, ("splits", "by_row", *_DRAWN), "a (train, val, test) triple")
        stacks, raw, splits, by_row = _triple(obj, options.get("task"))
        told.append("train, val and test as given")
    else:
        stacks = _stacks(obj)
        raw = from_stacks(stacks, level_of(options.get("task")))
        splits, by_row = options.pop("splits", None), options.pop("by_row", False)
        if raw.num_graphs == 1 and raw.level != "graph" and splits is None:
            splits, by_row = _masks(_graphs(obj)[0], told), True
            if splits is not None:
                _refuse(options, _DRAWN, "a graph with masks")
        elif raw.num_graphs > 1 and hasattr(_graph(obj, 0), _MASKS[0]):
            told.append("masks are left out: of several graphs, each is in one split as a whole")
    if weights_are_left_out(stacks):
        told.append(
            "edge_weight is left out: edge_attr holds integers; as real numbers it would be joined"
        )
    return ingest(raw, name=name, splits=splits, by_row=by_row, notes=told, **options)


def _refuse(options: Mapping[str, Any], names: Sequence[str], what: str) -> None:
    """What would draw splits, where they are given."""
    for name in names:
        if name in options:
            flag = name.replace("_", "-")
            raise UserError(f"--{flag}: {what} has its own; leave it out")


def _is_triple(obj: object) -> bool:
    """A tuple of three, or a list of three that are no graphs; three Data in a list are a list."""
    from torch_geometric.data import Data

    if not isinstance(obj, tuple | list) or len(obj) != 3:
        return False
    return isinstance(obj, tuple) or not any(isinstance(part, Data) for part in obj)


def _stacks(obj: object) -> Stacks:
    return stack_collated(obj) or stack_list(_graphs(obj))


def _graphs(obj: Any) -> list[Any]:
    from torch_geometric.data import Batch, Data, HeteroData

    if isinstance(obj, Batch):
        return list(obj.to_data_list())
    if isinstance(obj, Data):
        return [obj]
    listed = hasattr(obj, "__getitem__") and hasattr(obj, "__len__")
    if isinstance(obj, str | bytes | Mapping | HeteroData) or not listed:
        raise UserError(
            f"data of type {type(obj).__name__} is not understood; give a PyG dataset, a list of "
            "Data, a (train, val, test) triple or a Data"
        )
    graphs = [_graph(obj, number) for number in range(len(obj))]
    for number, graph in enumerate(graphs):
        if not isinstance(graph, Data):
            raise UserError(f"graph {number} is of type {type(graph).__name__}, not Data")
    return graphs


def _graph(obj: Any, number: int) -> Any:
    """One graph; reading it may run code of the user's own, as a transform."""
    try:
        return obj[number]
    except UserError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())
        raise UserError(
            f"graph {number} cannot be read: {type(error).__name__}: {said}; look at "
            f"dataset[{number}] in Python"
        ) from error


def _triple(obj: Any, task: str | None) -> tuple[Stacks, RawGraphs, dict[Split, Int64], bool]:
    """All graphs in one row. Of one training graph, the targets are what is split."""
    parts = [_stacks(part) for part in obj]
    sizes = [len(part.nodes) for part in parts]
    if 0 in sizes:
        raise UserError(
            f"the {NAMES[sizes.index(0)]} split of the (train, val, test) triple is empty"
        )
    stacks = join_stacks(parts)
    raw = from_stacks(stacks, level_of(task))
    ends = np.cumsum([0, *sizes])
    by_row = sizes[0] == 1 and raw.level != "graph"
    if by_row:
        ends = raw.row_ptr[ends]
    splits = {name: np.arange(ends[i], ends[i + 1], dtype=np.int64) for i, name in enumerate(NAMES)}
    return stacks, raw, splits, by_row


def _masks(graph: Any, told: list[str]) -> dict[Split, Int64] | None:
    """Rows of the three masks, if there are three."""
    found = [getattr(graph, mask, None) for mask in _MASKS]
    missing = [mask for mask, value in zip(_MASKS, found, strict=True) if value is None]
    if len(missing) == len(_MASKS):
        return None
    if missing:
        raise UserError(f"the graph has masks, but no {missing[0]}; give all three or none")
    splits: dict[Split, Int64] = {}
    for split, mask in zip(NAMES, found, strict=True):
        rows = np.asarray(mask).astype(bool)
        if rows.ndim == 2:
            if split == "train":
                told.append(f"masks have {rows.shape[1]} columns: the first one is used")
            rows = rows[:, 0]
        splits[split] = np.flatnonzero(rows)
    told.append("train, val and test masks as given")
    return splits
