import random
import signal
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from argnp.arch import sample
from argnp.cli.main import main
from argnp.errors import UserError
from argnp.kernels.fused import unavailable
from argnp.nets.cores import choose
from argnp.workflows.bench import growth, roofline
from argnp.workflows.bench.clock import interleaved, product
from argnp.workflows.bench.epoch import epoch_command
from argnp.workflows.bench.growth import Point, scaling_command
from argnp.workflows.bench.plain import PlainSearch, PlainTraining
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
    slow = rows["search", "plain"]
    assert slow["against_plain"] == 1
    fast = rows["search", "torch"]
    assert fast["against_plain"] == pytest.approx(slow["ms"] / fast["ms"])
    assert slow["products"] == pytest.approx(slow["ms"] / outcome.values["mm_ms"])
    told = f"steps of plain torch, in such products: search 2: {slow['products']:.2f}, train 2: "
    assert told in outcome.text


def test_without_the_reference_there_is_nothing_to_be_faster_than():
    outcome = speed_command("molecules", [2], ["torch"], rounds=1, batch_size=2)
    assert {v["kernels"] for v in outcome.values["steps"]} == {"torch"}
    assert outcome.text.splitlines()[1].split() == ["step", "ms", "useful", "/", "torch.mm"]


def test_plain_steps_learn():
    bench = Bench(molecules(16), 4)
    training = PlainTraining(sample(2, random.Random(0)), bench)
    search = PlainSearch(last_supernet(4), bench)
    assert not next(training.batches).topology.undirected
    groups = [training.network, search.network, search.alphas]
    before = [[p.detach().clone() for p in group.parameters()] for group in groups]
    training.few_steps(1)
    search.few_steps(1)
    for group, old in zip(groups, before, strict=True):
        assert not all(torch.equal(p, b) for p, b in zip(group.parameters(), old, strict=True))


def test_the_table_of_epochs():
    rows = epoch_command([2], "torch", rounds=1, batch_size=4).values["epochs"]
    assert [row["step"] for row in rows] == ["search", "train"]
    for row in rows:
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


@pytest.mark.parametrize(("size", "mixtures"), [(1, 4), (2, 10), (3, 6), (4, 12), (6, 12), (8, 24)])
def test_the_last_round_to_any_size(size, mixtures):
    supernet = last_supernet(size)
    assert len(supernet) == size
    assert len(supernet.mixtures()) == mixtures


def grows(size, *, whole, batch, kernels, steps):
    """Linear in the size; the global supernet quadratic."""
    much = float(size**2 if whole else size)
    return Point(size, whole, kernels, seconds=1e-3 * much, bytes=2e6 * much, before=1e6 * much)


def test_both_curves_and_their_exponents(monkeypatch):
    monkeypatch.setattr(growth, "measure", grows)
    lines = scaling_command([2, 4, 8, 16], [2, 4, 8], 4, "torch").text.splitlines()
    assert " ".join(lines[0].split()) == "size round ms round MB global ms global MB"
    assert [line.split() for line in lines[1:5]] == [
        ["2", "2", "2", "4", "4"],
        ["4", "4", "4", "16", "16"],
        ["8", "8", "8", "64", "64"],
        ["16", "16", "16"],
    ]
    assert lines[5] == (
        "exponents from size 4 on: proliferation time 1.00, proliferation memory 1.00, "
        "global time 2.00, global memory 2.00"
    )
    few = scaling_command([4], [4], 4, "torch")
    assert few.text.endswith("too few sizes")
    assert few.values["exponents"] == {}


def test_a_measurement_that_is_killed_says_what_to_do(monkeypatch):
    ended = SimpleNamespace(returncode=-signal.SIGKILL, stdout="", stderr="")
    monkeypatch.setattr(growth.subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(UserError, match=r"global supernet of size 16.*--batch-size below 128"):
        growth.measure(16, whole=True, batch=128, kernels="torch", steps=1)


@pytest.mark.parametrize("words", [["--sizes", "0"], ["--sizes", "x"], ["--batch-size", "-1"]])
def test_sizes_of_nothing_are_refused(words, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["bench", "scaling", *words])
    assert "is no whole number from 1 on" in capsys.readouterr().err


def test_the_command_measures_what_it_is_told_to(monkeypatch, capsys):
    seen = []

    def record(size, **how):
        seen.append((size, how["whole"], how["batch"], how["kernels"], how["steps"]))
        return grows(size, **how)

    monkeypatch.setattr(growth, "measure", record)
    words = ["--sizes", "8", "32", "--batch-size", "16", "--kernels", "torch", "--rounds", "2"]
    assert main(["bench", "scaling", *words]) == 0
    told = [(8, False, 16, "torch", 2), (32, False, 16, "torch", 2), (8, True, 16, "torch", 2)]
    assert seen == told
    assert main(["bench", "memory", *words]) == 0
    assert seen[3:] == told[:2]
    seen.clear()
    assert main(["bench", "scaling", "--sizes", "8", "--kernels", "torch"]) == 0
    assert {batch for _, _, batch, _, _ in seen} == {32}
    assert "proliferation time 1.00" in capsys.readouterr().out


def test_kernels_that_do_not_run_here_are_refused(monkeypatch, capsys):
    monkeypatch.setattr("argnp.kernels.fused.unavailable", lambda: "no C++ compiler was found")
    assert main(["bench", "scaling", "--kernels", "fused"]) == 2
    told = "argnp: --kernels fused: no C++ compiler was found; --kernels torch needs no compiler\n"
    assert capsys.readouterr().err == told
