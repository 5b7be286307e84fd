"""The library does what the commands do, with a folder and without one."""

import tomllib

import pytest
import torch
from tests.workflows.test_ensemble import paths
from tests.workflows.test_warnings import rings

import argnp
from argnp.data.ingest_pyg import from_pyg
from argnp.errors import UserError
from argnp.workflows import library
from argnp.workflows.configure import BUDGET

FAST = {"size": 2, "strategy": "random", "epochs": 1, "quiet": True}


def test_warnings_are_told_without_a_folder_too(capsys):
    argnp.search((rings(), rings()[:6], rings()[6:12]), size=2, strategy="random")
    told = capsys.readouterr().err
    assert "run: " in told
    assert "warning: node feature column 1 is the same everywhere" in told


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"train__loss": "bce"}, "loss"),
        ({"device": "abacus"}, "--device abacus"),
        ({"space__node_operations": ["V_NONE"]}, "V_NONE"),
    ],
)
def test_what_cannot_run_is_refused_without_a_folder_too(options, complaint):
    with pytest.raises(UserError, match=complaint):
        argnp.fit(paths(40), **{**FAST, **options})


@pytest.mark.parametrize(
    ("data", "options", "complaint"),
    [
        (rings(), {"target": "y"}, "--target: list is no table of molecules; leave it out"),
        (rings(), {"graphs": 20}, "--graphs: list is no benchmark's name"),
        ((rings(),) * 3, {"split": "stratified"}, r"--split: a \(train, val, test\) triple has"),
        (from_pyg(rings()), {"pe": "lap:4"}, "--pe: data has its own; leave it out"),
        (from_pyg(rings()), {"split_sizes": (0.5, 0.25, 0.25)}, "--split-sizes: data has its own"),
    ],
)
def test_options_that_the_data_has_no_use_for_are_refused(data, options, complaint):
    with pytest.raises(UserError, match=complaint):
        argnp.search(data, size=2, strategy="random", quiet=True, **options)


def test_masks_and_drawn_splits_do_not_go_together():
    graph = rings()[5]
    graph.y = torch.arange(8) % 2
    graph.train_mask, graph.val_mask, graph.test_mask = (torch.arange(8) % 3 == i for i in range(3))
    with pytest.raises(UserError, match="--split-sizes: a graph with masks has its own"):
        argnp.search(graph, size=2, strategy="random", quiet=True, split_sizes=(0.4, 0.3, 0.3))


@pytest.mark.parametrize("call", ["fit", "search"])
def test_rejected_rows_of_a_table_are_kept(tmp_path, monkeypatch, call):
    pytest.importorskip("rdkit", reason="molecules need the chem extra")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    table = tmp_path / "m.csv"
    rows = [f"{'C' * (1 + i % 9)}O,{i % 7}.5" for i in range(40)]
    table.write_text("\n".join(["smiles,y", *rows, "not a molecule,1.0"]) + "\n")
    getattr(argnp, call)(table, target="y", output_dir=tmp_path / "run", **FAST)
    assert "not a molecule" in (tmp_path / "run" / "rejected.csv").read_text()


@pytest.mark.parametrize(
    ("call", "options", "seconds"),
    [("fit", {}, BUDGET), ("fit", {"epochs": 3}, 0), ("search", {}, 0)],
)
def test_a_fit_has_the_budget_of_the_command(tmp_path, monkeypatch, call, options, seconds):
    class BegunError(Exception):
        pass

    def stop(context, plan):
        raise BegunError

    monkeypatch.setattr(library, f"{call}_run", stop)
    with pytest.raises(BegunError):
        getattr(argnp, call)(paths(40), size=2, quiet=True, output_dir=tmp_path / "run", **options)
    settings = tomllib.loads((tmp_path / "run" / "config.toml").read_text())
    assert settings["time_budget"] == seconds
