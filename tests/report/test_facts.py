"""The data and the plan, in words of people."""

from argnp.report.facts import data_table, is_timed
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
    assert not is_timed(Record(settings={"time_budget": 0}))
    assert is_timed(Record(settings={"time_budget": 120.0}))
