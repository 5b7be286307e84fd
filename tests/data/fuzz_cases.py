"""Datasets of every kind, some of them broken, for the fuzzed tests."""

import dataclasses
from typing import Any

import numpy as np
from hypothesis import strategies as st

from argnp.data.dataset import Dataset
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding
from argnp.errors import UserError

CASES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 2**32 - 1),
        "graphs": st.sampled_from([0, 1, 2, 3, 9, 14, 20, 30]),
        "symmetric": st.booleans(),
        "floats": st.booleans(),
        "level": st.sampled_from(["graph", "node", "edge", "pair"]),
        "y": st.sampled_from(
            ["numbers", "classes", "two", "equal", "labels", "table", "holes", "one", "none"]
        ),
        "features": st.sampled_from(["both", "nodes", "edges", "neither"]),
        "harm": st.sampled_from(["no"] * 12 + ["nan", "end", "short", "label", "empty", "wide"]),
        "relations": st.sampled_from(["auto", "auto", "directed", "undirected", "off"]),
        "encoding": st.sampled_from(["none", "lap", "rwse"]),
        "split": st.sampled_from(["random"] * 3 + ["stratified", "grouped"]),
        "by_row": st.booleans(),
    }
)


def _targets(rng: np.random.Generator, kind: str, rows: int) -> Any:
    made = {
        "numbers": lambda: rng.normal(size=rows),
        "classes": lambda: rng.integers(-1, 4, rows),
        "two": lambda: rng.integers(0, 2, rows).astype(float),
        "one": lambda: np.full(rows, 3),
        "equal": lambda: np.full(rows, 0.7),
        "labels": lambda: rng.integers(-1, 2, (rows, 3)),
        "table": lambda: rng.normal(size=(rows, 2)),
        "holes": lambda: np.where(rng.random(rows) < 0.5, np.nan, rng.normal(size=rows)),
        "none": lambda: None,
    }
    return made[kind]()


def _harmed(raw: RawGraphs, harm: str) -> RawGraphs:
    """The graphs with something wrong, where there is something to go wrong."""
    change: dict[str, Any] = {}
    if harm == "nan" and raw.x is not None and raw.x.size:
        change = {"x": np.where(raw.x == raw.x[-1], np.nan, raw.x)}
    elif harm == "end":
        change = {"edge_index": raw.edge_index + 5}
    elif harm == "short" and raw.edge_attr is not None:
        change = {"edge_attr": raw.edge_attr[:-1]}
    elif harm == "label" and raw.y is not None:
        change = {"labels": ("only",), "y": np.abs(np.nan_to_num(raw.y))}
    elif harm == "empty":
        last = {"node_ptr": raw.node_ptr, "edge_ptr": raw.edge_ptr}
        change = {name: np.append(ptr, ptr[-1]) for name, ptr in last.items()}
    elif harm == "wide" and raw.x is not None:
        change = {"x": raw.x[:, :0]}
    return dataclasses.replace(raw, **change)


def raw_of(random_raw: Any, case: dict[str, Any]) -> RawGraphs:
    rng = np.random.default_rng(case["seed"])
    pair, graphs = case["level"] == "pair", case["graphs"]
    raw = random_raw(
        rng,
        max(graphs, 1),
        symmetric=case["symmetric"],
        floats=case["floats"],
        level="edge" if pair else case["level"],
    )
    if graphs == 0:
        none = np.zeros(1, dtype=np.int64)
        raw = RawGraphs(none, none, raw.edge_index[:, :0], level=raw.level)
    if pair:
        counts = rng.integers(0, 4, raw.num_graphs)
        ends = [
            rng.integers(0, n, (2, c)) for n, c in zip(np.diff(raw.node_ptr), counts, strict=True)
        ]
        raw = dataclasses.replace(
            raw,
            edge_label_index=np.concatenate([np.empty((2, 0)), *ends], axis=1).astype(np.int32),
            edge_label_ptr=np.append(0, np.cumsum(counts)),
        )
    return _harmed(
        dataclasses.replace(
            raw,
            x=raw.x if case["features"] in ("both", "nodes") else None,
            edge_attr=raw.edge_attr if case["features"] in ("both", "edges") else None,
            y=_targets(rng, case["y"], int(raw.row_ptr[-1])),
            groups=rng.integers(0, 5, raw.num_graphs),
        ),
        case["harm"],
    )


def ingested(raw: RawGraphs, case: dict[str, Any]) -> Dataset | str:
    """A dataset, or the line that refuses it."""
    try:
        return ingest(
            raw,
            name="fuzz",
            split=case["split"],
            by_row=case["by_row"],
            relations=case["relations"],
            encoding=Encoding(case["encoding"], 0 if case["encoding"] == "none" else 4),
            seed=case["seed"],
        )
    except UserError as complaint:
        return str(complaint)
