"""The data and the plan, in words of people."""

from pathlib import Path

import pytest

from argnp.report.facts import (
    command,
    command_with_plan,
    data_table,
    environment_table,
    is_timed,
    plan_table,
    settings_table,
)
from argnp.report.page import render
from argnp.report.record import Record

DATA = {
    "name": "esol",
    "fingerprint": "8d1f",
    "nodes": {"mean": 13.5, "largest": 55},
    "schema": {
        "task": {"level": "graph", "outputs": 1, "labels": [], "pairs": False},
        "node": {"kind": "codes", "sizes": [118, 4], "width": 0},
        "edge": {"kind": "none", "sizes": [], "width": 0},
    },
    "shelf": {"number": 3},
    "warnings": ["rows that repeat: 1"],
}


def test_properties_have_names_and_what_says_nothing_is_left_out():
    assert data_table(DATA).rows == [
        ["Name", "esol"],
        ["Nodes of a graph, on average", "13.50"],
        ["Nodes of a graph, at most", "55"],
        ["Outputs", "1"],
        ["Node features, values of each column", "118, 4"],
        ["Fingerprint", "8d1f"],
        ["shelf.number", "3"],
    ]


def test_a_plan_that_came_from_a_budget_is_called_so(make_run):
    folder = make_run()
    assert "A time budget is measured out" not in render(folder)
    journal = folder / "journal.jsonl"
    journal.write_text(
        journal.read_text().replace('},"fingerprint"', ',"time_budget":9},"fingerprint"')
    )
    page = render(folder)
    assert "A time budget is measured out" in page
    assert f" --plan {folder}</code>" in page
    assert not is_timed(Record(settings={"time_budget": 0}))
    assert is_timed(Record(settings={"time_budget": 120.0}))


def test_settings_are_told_to_the_last_digit_and_item():
    operations = tuple(f"V_{n}" for n in range(20))
    settings = {
        "train": {"lr": 0.00123456789, "weight_decay": 1e-05, "epochs": 100_000, "norm": True},
        "space": {"node_operations": operations, "sizes": [0.8, 0.1, 0.1]},
    }
    assert settings_table(Record(settings=settings)).rows == [
        ["train.lr", "0.00123456789"],
        ["train.weight_decay", "1e-05"],
        ["train.epochs", "100000"],
        ["train.norm", "yes"],
        ["space.node_operations", ", ".join(operations)],
        ["space.sizes", "0.8, 0.1, 0.1"],
    ]


def test_what_it_was_made_with():
    about = {
        "version": "0.1.0",
        "command": "argnp fit x.csv",
        "environment": {"python": "3.11.7", "torch": "2.4.0", "platform": "Linux", "threads": 2},
    }
    assert environment_table(Record(about=about)).rows == [
        ["argnp", "0.1.0"],
        ["Python", "3.11.7"],
        ["torch", "2.4.0"],
        ["Platform", "Linux"],
        ["Threads", "2"],
    ]


@pytest.mark.parametrize(
    ("about", "data", "told"),
    [
        ({"command": "argnp fit 'a b.csv'"}, "a b.csv", "argnp fit 'a b.csv'"),
        ({}, "a b.csv", "argnp fit 'a b.csv' --config run/config.toml"),
        ({}, "", "argnp.fit(data, ...)  # the same objects, with the settings below"),
    ],
)
def test_how_to_run_it_again(about, data, told):
    record = Record(settings={"data": {"data": data}}, about=about)
    assert command(record, Path("runs/run")) == told


@pytest.mark.parametrize(
    ("about", "data", "told"),
    [
        ("argnp fit 'a b.csv' --time-budget 5m -o x --seed 1", "", "'a b.csv' --seed 1"),
        ("argnp fit a --output-dir=x --resume --time-budget=5m", "", "a"),
        ("argnp fit a -ox", "", "a"),
        (None, "a", "a --config run/config.toml"),
    ],
)
def test_how_to_run_it_again_with_its_plan(about, data, told):
    record = Record(settings={"data": {"data": data}}, about={"command": about})
    line = command_with_plan(record, Path("my runs/run"))
    assert line == f"argnp fit {told} --plan 'my runs/run'"


def test_how_to_call_it_again_with_its_plan():
    line = command_with_plan(Record(settings={"data": {"data": ""}}), Path("run"))
    assert line.startswith("argnp.fit(data, ..., plan='run')  #")


def test_a_comparison_takes_the_plans_of_all_its_models():
    about = {"command": "argnp compare a --models random,sgas --time-budget 5m -o x"}
    line = command_with_plan(Record(about=about), Path("x/sgas"))
    assert line == "argnp compare a --models random,sgas --plan x"


def test_the_plan_of_a_search_says_nothing_of_training():
    rounds = [{"vertices": 2, "epochs": 7, "strategy": "sgas"}]
    plan = {"rounds": rounds, "train_epochs": 9, "reason": "", "trains": "none"}
    assert plan_table(Record(plan=plan)).rows == [["search to 2 vertices", "7 epochs"]]


def test_the_plan_tells_what_was_cut_of_it():
    rounds = [
        {"vertices": 2, "epochs": 0, "strategy": "random"},
        {"vertices": 4, "epochs": 7, "strategy": "sgas"},
        {"vertices": 8, "epochs": 0, "strategy": "sgas"},
    ]
    plan = {"rounds": rounds, "train_epochs": 9, "reason": ""}
    assert plan_table(Record(plan=plan, cuts=["training: left out"])).rows == [
        ["search to 2 vertices", "by lot"],
        ["search to 4 vertices", "7 epochs"],
        ["search to 8 vertices", "found before"],
        ["training", "9 epochs"],
        ["cut", "training: left out"],
    ]
