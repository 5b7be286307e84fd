import random
import subprocess
import sys
import textwrap
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from argnp.arch import divide, sample, undecided
from argnp.data.ingest import ingest
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding, Features, Task
from argnp.errors import UserError
from argnp.nets.estimate import step_bytes
from argnp.nets.widths import Widths
from argnp.proliferate.rounds import plan_rounds
from argnp.train.observer import Silent
from argnp.workflows import fits
from argnp.workflows.configure import configure
from argnp.workflows.context import make_context
from argnp.workflows.open_data import open_data
from argnp.workflows.planning import make_plan


def context(**flags):
    settings = configure(flags={"data.data": "digits", "data.graphs": "40", "size": 4, **flags})
    return make_context(settings, open_data(settings.data, 0).dataset, Silent())[0]


def test_linear_in_rows_and_in_the_size_of_a_round():
    widths, schema = Widths(), context().dataset.schema
    base = step_bytes(undecided(2), widths, 0, 0, "fused", schema)

    def rows(architecture, times):
        return step_bytes(architecture, widths, 1000 * times, 1000 * times, "fused", schema) - base

    four = divide(sample(2, random.Random(0)))
    eight = divide(sample(4, random.Random(0)))
    assert rows(four, 10) == pytest.approx(10 * rows(four, 1), rel=1e-3)
    assert rows(eight, 1) == pytest.approx(2 * rows(four, 1), rel=0.1)
    assert rows(undecided(8), 1) > 1.5 * rows(eight, 1)
    large = Widths(node_out=4000)
    more = step_bytes(four, large, 1000, 1000, "fused", schema) - rows(four, 1) - base
    assert more >= 1000 * 3900 * 4


def test_what_cannot_fit_is_refused_with_what_would(monkeypatch):
    monkeypatch.setattr(fits, "available_bytes", lambda: 2.45e8)
    with pytest.raises(UserError, match=r"needs about .* GB, .* are free; --batch-size \d+ fits"):
        make_plan(context(**{"search.batch_size": 32}))


def test_not_even_one_graph(monkeypatch):
    monkeypatch.setattr(fits, "available_bytes", lambda: 1e8)
    with pytest.raises(UserError, match="not one graph fits; try --width 16 or --strategy random"):
        make_plan(context())
    with pytest.raises(UserError, match="try --size 2 or --width 16 or --strategy random"):
        make_plan(context(proliferate=False))
    with pytest.raises(UserError, match="not one graph fits; try --strategy random or smaller"):
        make_plan(context(size=2, **{"widths.node": 16}))


def test_random_searches_take_no_supernet_but_are_trained(monkeypatch):
    by_lot = {"search.strategy": "random", "search.batch_size": 32, "train.batch_size": 32}
    monkeypatch.setattr(fits, "available_bytes", lambda: 2.6e8)
    make_plan(context(**by_lot))
    monkeypatch.setattr(fits, "available_bytes", lambda: 1e8)
    with pytest.raises(UserError, match=r"a training step of 4 vertices on 32 graphs needs"):
        make_plan(context(**by_lot))


def test_this_machine_says_what_is_free():
    assert 1e7 < fits.available_bytes() < 1e14


def test_a_million_nodes_are_refused_where_they_cannot_fit(monkeypatch):
    n = 1_000_000
    nodes = np.arange(n, dtype=np.int32)
    ring = np.stack([nodes, np.roll(nodes, 1)])
    raw = RawGraphs(
        np.array([0, n]), np.array([0, n]), ring, x=np.ones((n, 1)), y=nodes % 3, level="node"
    )
    dataset = ingest(raw, name="million", by_row=True)
    settings = configure(flags={"data.data": "million", "size": 2})
    monkeypatch.setattr(fits, "available_bytes", lambda: 2e10)
    with pytest.raises(UserError, match="not one graph fits; try --width 16 or"):
        make_plan(make_context(settings, dataset, Silent())[0])


@pytest.mark.parametrize("what", ["features", "encoding", "targets"])
def test_wide_data_is_counted(monkeypatch, what):
    """A graph of 100,000 nodes, each with some thousand numbers that come or go with it."""
    n, width = 100_000, 5000
    nodes = np.arange(n, dtype=np.int32)
    ring = np.stack([nodes, np.roll(nodes, 1)])
    raw = RawGraphs(
        np.array([0, n]), np.array([0, n]), ring, x=np.ones((n, 1)), y=nodes % 3, level="node"
    )
    dataset = ingest(raw, name="wide", by_row=True)
    change = {
        "features": {"node": Features("floats", width=width)},
        "encoding": {"encoding": Encoding("lap", width)},
        "targets": {"task": Task("node", "multilabel", width)},
    }[what]
    wide = replace(dataset, schema=msgspec.structs.replace(dataset.schema, **change))
    settings = configure(flags={"data.data": "wide", "size": 2, "widths.node": 8, "widths.edge": 4})
    monkeypatch.setattr(fits, "available_bytes", lambda: 2.5e9)
    fits.check_memory(*_planned(settings, dataset))
    with pytest.raises(UserError, match=r"wide: a search step .* needs about .* GB") as told:
        fits.check_memory(*_planned(settings, wide))
    assert ("fewer feature columns" in str(told.value)) == (what == "features")


def _planned(settings, dataset):
    made = make_context(settings, dataset, Silent())[0]
    return made, plan_rounds(settings.size, made.space, settings.search, proliferate=True)


MEASURED = """
    import sys, torch, argnp
    from torch_geometric.data import Data
    from argnp.train.memory import peak_bytes
    from argnp.workflows import fits
    told, asked = [], fits.step_bytes
    fits.step_bytes = lambda *facts: told.append(asked(*facts)) or told[-1]
    n = 10_000
    ends = torch.randint(0, n, (2, 2 * n))
    data = Data(
        x=torch.randint(0, 4, (n, 1)),
        edge_index=torch.cat([ends, ends.flip(0)], 1),
        y=torch.randint(0, 3, (n,)),
    )
    before = peak_bytes()
    argnp.search(data, size=2, search_epochs=2, quiet=True, kernels=sys.argv[1])
    print(max(told), peak_bytes() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kernels", ["fused", "torch"])
def test_the_estimate_is_not_far_from_what_a_search_takes(kernels):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(MEASURED), kernels],
        capture_output=True,
        text=True,
        check=True,
    )
    told, taken = map(int, done.stdout.split())
    assert taken / 1.15 < told < 3 * taken
