"""Widths, regularisation and readout of the chosen architecture, chosen on validation."""

import json

import msgspec
import pytest
from tests.workflows.test_ensemble import paths

import argnp
from argnp.data.schema import Task
from argnp.report.numbers import count, figure
from argnp.report.page import render
from argnp.report.record import read_record
from argnp.report.tables import sizes
from argnp.runs.journal import read_journal
from argnp.train.settings import RECIPES
from argnp.workflows.settings import Settings
from argnp.workflows.variants import VARIANTS, variants_for, varied

FAST = {"size": 2, "search_epochs": 2, "epochs": 4, "quiet": True}


def test_a_variant_changes_what_it_names_alone():
    settings = Settings(train=msgspec.structs.replace(RECIPES["modern"], epochs=3))
    narrow, regular = varied(settings, "narrow"), varied(settings, "regular")
    assert (narrow.widths.node, narrow.widths.edge) == (30, 15)
    assert narrow.train == settings.train
    assert regular.widths == settings.widths
    assert (regular.train.dropout, regular.train.weight_decay) == (0.25, 0.1)
    assert regular.train.epochs == 3
    assert varied(settings, "sum").train.readout == "sum"
    assert varied(settings, "") == settings


def test_which_are_worth_a_comparison():
    graphs, nodes = Task("graph", "regression", 1), Task("node", "regression", 1)
    assert variants_for(Settings(), graphs) == ["narrow", "regular", "sum"]
    assert variants_for(Settings(), nodes) == ["narrow", "regular"]
    assert variants_for(Settings(), Task("graph", "classification", 2)) == ["narrow", "regular"]
    assert variants_for(Settings(params=10_000), graphs) == ["regular", "sum"]
    assert variants_for(Settings(recipe="paper"), graphs) == []
    assert variants_for(Settings(tune=False), graphs) == []
    summed = Settings(train=msgspec.structs.replace(RECIPES["modern"], readout="sum"))
    assert variants_for(summed, graphs) == ["narrow", "regular"]


@pytest.mark.parametrize("ensemble", [1, 3])
def test_time_that_is_left_is_spent_on_variants(tmp_path, ensemble):
    graphs, folder = paths(60), tmp_path / "run"
    result = argnp.fit(graphs, **FAST, ensemble=ensemble, time_budget="5m", output_dir=folder)
    events = read_journal(folder / "journal.jsonl").events
    plan = next(event for event in events if event["event"] == "plan")
    assert plan["variants"] == [name for name in VARIANTS if name]
    assert "the chosen one narrow, regular and sum, too" in plan["reason"]
    ended = {e.get("variant", ""): e for e in events if e["event"] == "train-end" and not e["seed"]}
    assert set(ended) == set(VARIANTS)
    selected = next(event for event in events if event["event"] == "selected")
    best = min(ended, key=lambda name: ended[name]["metrics"]["mae"])
    assert selected.get("variant", "") == best
    started = {e.get("variant", ""): e for e in events if e["event"] == "train-start"}
    assert started["narrow"]["parameters"] < started[""]["parameters"]
    # What is handed over is the variant, in all its members.
    model = argnp.load(folder)
    weights = [sum(p.numel() for p in network.parameters()) for network in model.networks]
    assert weights == ensemble * [started[best]["parameters"]]
    assert result.metrics["mae"] == model.metrics.test["mae"]
    # The report's table of sizes has a row each, and the chosen one stands out.
    record = read_record(events, json.loads((folder / "data.json").read_text()))
    assert {key[:2] for key in record.trainings} == {(0, 2)}
    assert {name for name, *_ in record.variants} == {"narrow", "regular", "sum"}
    shown = sizes(record, dict(model.metrics.validation))
    names = {variant: f"2, {variant}" if variant else "2" for variant in VARIANTS}
    rows = {row[0].removesuffix(" (chosen)"): row for row in shown.rows}
    for variant, name in names.items():
        assert (rows[name][0] != name) is (variant == best)
        assert rows[name][3] == count(started[variant]["parameters"])
    if ensemble == 1:
        assert {row[2] for name, row in rows.items() if name != names[best]} == {"–"}
        assert rows[names[best]][2] == figure(result.metrics["mae"])
    else:
        together = rows[f"{names[best]}: 3 as one"]
        assert together[1] == figure(result.validation["mae"])
        assert together[2] == figure(result.metrics["mae"])
        assert together[3] == count(sum(weights))
        assert {row[2] for row in rows.values() if row is not together} == {"–"}
    text = render(folder)
    assert f"{names[best]} (chosen)" in text
    assert "argnp.fit(data, ...)" in text


def test_without_a_budget_or_told_not_to_there_are_none(tmp_path):
    for more in ({}, {"time_budget": "5m", "tune": False}):
        folder = tmp_path / str(len(more))
        argnp.fit(paths(40), **FAST, **more, output_dir=folder)
        assert not list(folder.glob("train/0/*narrow*"))
