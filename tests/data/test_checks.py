"""Every contradiction stops, and its message says where it is."""

import dataclasses

import numpy as np
import pytest

from argnp.data.checks import check
from argnp.errors import UserError


def _broken(random_raw, part, at, value, **options):
    raw = random_raw(np.random.default_rng(0), **options)
    getattr(raw, part)[at] = value
    return raw


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e39])
def test_features_that_are_no_numbers(random_raw, value):
    raw = _broken(random_raw, "x", (-1, 2), value, floats=True)
    last = int(np.diff(raw.node_ptr)[-1]) - 1
    with pytest.raises(UserError, match=rf"graph 11, node {last}: x column 2 is .*finite"):
        check(raw)


def test_an_end_out_of_range(random_raw):
    raw = random_raw(np.random.default_rng(0))
    edge = int(raw.edge_ptr[5])
    raw.edge_index[0, edge] = 99
    with pytest.raises(UserError, match=r"graph 5, edge 0: 99 -> \d+, but the graph's \d+ nodes"):
        check(raw)


def test_rows_of_the_file_are_named_where_known(random_raw):
    raw = _broken(random_raw, "x", (0, 0), np.nan, floats=True)
    raw = dataclasses.replace(raw, ids=np.arange(100, 112))
    with pytest.raises(UserError, match="row 100, node 0"):
        check(raw)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda r: {"edge_attr": r.edge_attr[:-1]}, "edge_attr has .* rows for .* edges"),
        (lambda r: {"x": r.x[:-1]}, "x has .* rows for .* nodes"),
        (lambda r: {"x": r.x[:, 0]}, "x has 1 dimensions"),
        (lambda r: {"x": r.x.astype(str)}, "must hold integers or real numbers"),
        (lambda r: {"y": r.y[:-1]}, "y has 11 rows, the graph targets of this data are 12"),
        (lambda r: {"y": r.y[:, None, None]}, "it must be 1-d or 2-d"),
        (lambda r: {"y": r.y[:, None][:, :0]}, "y has no columns"),
        (lambda r: {"y": np.where(r.y == r.y[4], np.inf, r.y)}, "graph 4: the target is infinite"),
        (lambda r: {"edge_index": r.edge_index[:, :-1]}, "the edges have shape"),
        (lambda r: {"node_ptr": r.node_ptr[::-1]}, "node_ptr must rise from 0"),
        (lambda r: {"ids": np.arange(3)}, "ids has shape"),
        (lambda r: {"edge_label_index": r.edge_index}, "edge_label_index and edge_label_ptr"),
        (
            lambda r: {"edge_label_index": r.edge_index, "edge_label_ptr": r.edge_ptr},
            "edge_label_index goes with targets of edges",
        ),
    ],
)
def test_arrays_that_contradict_each_other(random_raw, change, complaint):
    raw = random_raw(np.random.default_rng(0))
    check(raw)
    with pytest.raises(UserError, match=complaint):
        check(dataclasses.replace(raw, **change(raw)))


def test_a_graph_without_nodes(random_raw):
    raw = random_raw(np.random.default_rng(0))
    ptr = np.append(raw.node_ptr, raw.node_ptr[-1])
    more = dataclasses.replace(raw, node_ptr=ptr, edge_ptr=np.append(raw.edge_ptr, raw.num_edges))
    with pytest.raises(UserError, match="graph 12 has no nodes"):
        check(more)
