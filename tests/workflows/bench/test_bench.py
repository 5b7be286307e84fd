import numpy as np
import pytest

from argnp.kernels.fused import unavailable
from argnp.nets.cores import choose
from argnp.workflows.bench import roofline
from argnp.workflows.bench.clock import interleaved, product
from argnp.workflows.bench.epoch import epoch_command
from argnp.workflows.bench.growth import scaling_command
from argnp.workflows.bench.speed import speed_command
from argnp.workflows.bench.workload import WORKLOADS, Bench, last_supernet, molecules


def test_the_workload_has_the_size_of_the_benchmarks_molecules():
    nodes, bonds = molecules(400).source.sizes()
    assert nodes.mean() == pytest.approx(3003 / 128, rel=0.01)
    assert bonds.mean() == pytest.approx(3231 / 128, rel=0.01)
    assert molecules(400).schema.relations == "undirected"


def test_times_are_taken_in_turns():
    calls = []
    found = interleaved({name: lambda n=name: calls.append(n) for name in "ab"}, rounds=2)
    assert calls == list("ababab")
    assert set(found) == {"a", "b"}
    assert product(8)[1] == 2 * 8**3


def test_a_step_of_the_search_moves_both_levels():
    bench = Bench(molecules(16), 4)
    searching = bench.search(last_supernet(4), choose("torch").core)
    w = searching.levels.w.data.clone()
    alphas = searching.levels.alphas.rows["node"].detach().clone()
    assert searching.few_steps(2) == 2
    assert not np.allclose(w, searching.levels.w.data)
    assert not np.allclose(alphas, searching.levels.alphas.rows["node"].detach())


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_table_of_speed(name):
    outcome = speed_command(name, [2], ["reference", "torch"], rounds=1, batch_size=2)
    rows = {(v["step"], v["kernels"]): v for v in outcome.values["steps"]}
    assert rows["search", "reference"]["against_reference"] == 1
    assert all(v["useful_share_of_mm"] > 0 for v in rows.values())
    assert "torch.mm" in outcome.text


def test_the_table_of_epochs():
    (row,) = epoch_command([2], "torch", rounds=1, batch_size=4).values["epochs"]
    assert row["whole"] > 0
    assert row["ratio"] == row["whole"] / row["bare"]


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_the_roofline(monkeypatch):
    monkeypatch.setattr(roofline, "_NUMBERS", 1 << 16)
    monkeypatch.setattr(roofline, "_TIMES", 10)
    outcome = roofline.roofline_command([2], rounds=1, batch_size=4)
    search, train = outcome.values["steps"]
    assert search["flops"] > train["flops"] > 0
    assert search["bytes"] > 2 * train["bytes"] > 0
    assert outcome.values["peak_gflops"] > 0


@pytest.mark.slow
def test_the_table_of_growth():
    outcome = scaling_command([4, 8], [4, 8], batch=2, kernels="torch")
    assert [(p["size"], p["whole"]) for p in outcome.values["steps"]] == [
        (4, False),
        (8, False),
        (4, True),
        (8, True),
    ]
    assert len(outcome.values["exponents"]) == 4
