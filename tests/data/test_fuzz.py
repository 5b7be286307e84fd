"""Whatever comes in, a dataset of well-formed batches comes out, or one clear line."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data.fuzz_cases import CASES, ingested, raw_of
from torch_geometric.data import Data

from argnp.data.info import describe
from argnp.data.ingest_pyg import from_pyg
from argnp.data.loader import Loader
from argnp.errors import UserError


def _check_batch(batch: Any, schema: Any) -> None:
    topology, task = batch.topology, schema.task
    n, r = topology.num_nodes, topology.num_relations
    for ends in (topology.source, topology.target):
        assert ends.shape == (r,)
        assert not len(ends) or (ends.min() >= 0 and ends.max() < n)
    assert topology.node_ptr[-1] == n
    assert topology.relation_ptr[-1] == r
    assert topology.degree.sum() == topology.num_edges
    assert topology.undirected == (schema.relations == "undirected")
    for rows, features, count in ((batch.node, schema.node, n), (batch.edge, schema.edge, r)):
        assert (rows is None) == (features.kind == "none")
        if features.kind == "codes":
            assert rows.shape == (count, len(features.sizes))
            assert ((rows >= 0) & (rows <= torch.tensor(features.sizes))).all()
        elif features.kind == "floats":
            assert rows.shape == (count, features.width)
            assert rows.isfinite().all()
    assert (batch.encoding is None) == (schema.encoding.kind == "none")
    if batch.encoding is not None:
        assert batch.encoding.shape == (n, schema.encoding.width)
        assert batch.encoding.isfinite().all()
    rows = {"graph": batch.num_graphs, "node": n, "edge": r}[task.level]
    if batch.edge_label_index is not None:
        rows = batch.edge_label_index.shape[1]
        assert not rows or (batch.edge_label_index.min() >= 0 and batch.edge_label_index.max() < n)
    if task.kind == "classification":
        assert batch.target.shape == (rows,)
        assert not rows or (batch.target.min() >= 0 and batch.target.max() < task.outputs)
    else:
        assert batch.target.shape == (rows, task.outputs)
        assert batch.target.isfinite().all()
    assert batch.weight is None or batch.weight.shape == batch.target.shape


def _run(random_raw: Any, case: dict[str, Any]) -> bool:
    """True if a dataset came out, False if a clear line did."""
    dataset = ingested(raw_of(random_raw, case), case)
    if isinstance(dataset, str):
        assert len(dataset) > 10
        assert "\n" not in dataset
        return False
    for split in dataset.splits.values():
        for batch in Loader.of(dataset, split, 4, training=True).epoch(0):
            _check_batch(batch, dataset.schema)
            assert batch.weight is None or batch.weight.any() or dataset.schema.task.level == "edge"
    assert describe(dataset).rows
    return True


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(case=CASES)
def test_a_dataset_or_a_clear_line(random_raw, case):
    _run(random_raw, case)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None, derandomize=True, database=None)
@given(case=CASES)
def test_two_thousand_cases(random_raw, case):
    _run(random_raw, case)


FITTING = {
    "x": [None, (4,), (4, 1), (4, 3)],
    "edge_attr": [None, (6,), (6, 2)],
    "edge_weight": [None, None, (6,)],
    "pos": [None, None, (4, 3)],
    "y": [(), (1,), (4,), (6,), (1, 4), (4, 1), (6, 2)],
    "edge_index": [(2, 6)],
    "edge_label_index": [None],
}
ANY = st.sampled_from([None, (), (0,), (1,), (5,), (6, 1), (4, 3), (2, 6), (2, 0), (4, 2, 2)])
KINDS = st.sampled_from([torch.float32, torch.int64, torch.bool, torch.float16])


def _data(seed: int, parts: dict[str, Any], odd: Any) -> list[Data]:
    """Graphs of the same parts, but for one part of the third; edges mostly fit."""
    generator = torch.Generator().manual_seed(seed)
    graphs = []
    for number in range(8):
        values = {}
        for name, (shape, kind) in {**parts, **(odd if number == 2 else {})}.items():
            if shape is not None:
                values[name] = torch.randint(0, 3, shape, generator=generator).to(kind)
        graphs.append(Data(num_nodes=4, **values))
    return graphs


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(
    seed=st.integers(0, 99),
    parts=st.fixed_dictionaries(
        {
            name: st.tuples(
                st.sampled_from(shapes), st.just(torch.int64) if "index" in name else KINDS
            )
            for name, shapes in FITTING.items()
        }
    ),
    odd=st.just({}) | st.dictionaries(st.sampled_from(list(FITTING)), st.tuples(ANY, KINDS)),
)
def test_whatever_data_carries(seed, parts, odd):
    try:
        dataset = from_pyg(_data(seed, parts, odd))
    except UserError as complaint:
        line = str(complaint)
    else:
        line = "fine"
        _check_batch(dataset.source.batch(np.arange(8)), dataset.schema)
    assert "\n" not in line


def test_harmless_cases_are_ingested(random_raw):
    """The fuzz would be idle if all it met were refusals."""
    rng = np.random.default_rng(0)
    case = {"symmetric": True, "harm": "no", "relations": "auto", "encoding": "lap"}
    case |= {"split": "random", "by_row": False, "features": "both", "floats": False}
    for level in ("graph", "node", "edge"):
        for y in ("numbers", "classes", "two", "labels", "table", "holes"):
            seed = int(rng.integers(1000))
            assert _run(random_raw, case | {"level": level, "y": y, "graphs": 14, "seed": seed})
