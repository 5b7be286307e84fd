from typing import Any

from argnp.arch import IN0, IN1, Architecture, Link, sample, undecided
from argnp.report.record import Round
from argnp.report.replay import Track, pruned_by, replay


def table(epoch: int, node: list[Any], relation: list[Any]) -> dict[str, Any]:
    return {"epoch": epoch, "alphas": {"node": node, "relation": relation}}


def taken(epoch: int, vertex: int, link: int, source: int, operation: str) -> dict[str, Any]:
    return {
        "epoch": epoch,
        "space": "node",
        "vertex": vertex,
        "link": link,
        "source": source,
        "operation": operation,
        "score": 0.5,
    }


def test_alphas_follow_their_link_when_others_are_pruned() -> None:
    start = undecided(2)
    first = [[1, 0, [0.1]], [1, 1, [0.2]], [2, 0, [0.3]], [2, 1, [0.4]], [2, 2, [0.5]]]
    # Links 0 and 1 of vertex 1 fall first; vertex 2 then has 1 and in0, and loses in1.
    events = [
        taken(10, 2, 2, 1, "V_MAX"),
        taken(15, 2, 0, IN0, "skip"),
        taken(20, 1, 1, IN1, "V_SUM"),
    ]
    second = [[1, 0, [0.6]], [1, 1, [0.7]], [2, 0, [0.8]], [2, 1, [0.9]]]
    third = [[1, 0, [0.15]], [1, 1, [0.25]]]
    entry = Round(0, 0, 2, start=start)
    entry.epochs = [table(9, first, []), table(14, second, []), table(19, third, [])]
    entry.decisions = events
    steps = replay(entry)
    assert [step.epoch for step in steps] == [10, 15, 20]
    assert steps[0].alphas[Track("node", 2, 1)] == [0.5]
    assert steps[1].alphas == {
        Track("node", 1, IN0): [0.6],
        Track("node", 1, IN1): [0.7],
        Track("node", 2, IN0): [0.8],
        Track("node", 2, IN1): [0.9],
    }
    assert steps[2].alphas[Track("node", 1, IN1)] == [0.25]


def test_the_alphas_behind_a_decision_are_those_before_it() -> None:
    entry = Round(0, 0, 1, start=undecided(1))
    entry.epochs = [table(n, [[1, 0, [n / 10]]], []) for n in range(5)]
    entry.decisions = [taken(3, 1, 0, IN0, "V_MAX")]
    assert replay(entry)[0].alphas[Track("node", 1, IN0)] == [0.2]


def test_decisions_without_learning_have_no_alphas() -> None:
    entry = Round(0, 0, 1, start=undecided(1), decisions=[taken(0, 1, 0, IN0, "V_MAX")])
    assert replay(entry)[0].alphas == {}


def test_what_is_pruned() -> None:
    start = undecided(2)
    kept = {Track("node", 2, IN0), Track("node", 2, 1)}
    assert pruned_by(start, kept) == {Track("node", 2, IN1)}
    assert pruned_by(start, {Track("node", 2, IN0)}) == set()


def test_nothing_is_pruned_of_what_was_decided_before() -> None:
    import random

    decided = sample(4, random.Random(0))
    assert pruned_by(decided, set()) == set()
    grown: Architecture = decided.divide()
    assert pruned_by(grown, set()) == set()
    assert all(isinstance(link, Link) for link in grown.vertex(1).node)
