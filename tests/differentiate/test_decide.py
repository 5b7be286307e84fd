import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argnp.arch import ZERO, Architecture, Space, sample, undecided
from argnp.arch.divide import divide
from argnp.arch.graph import Place
from argnp.arch.space import SpaceName
from argnp.differentiate.decide import (
    Table,
    argmax,
    criterion_1,
    criterion_2,
    greedy,
    strongest,
)
from argnp.train.seeds import python_random

SPACE = Space()
CRITERIA = {"1": criterion_1, "2": criterion_2}


def random_table(architecture: Architecture, name: SpaceName, rng: np.random.Generator) -> Table:
    count = len(architecture.space.operations(name))
    return {place: rng.dirichlet(np.full(count, 0.5)) for place in architecture.mixtures(name)}


def supernets() -> list[Architecture]:
    grown = [divide(sample(n, python_random(n), SPACE), m) for n, m in ((1, 1), (3, 2), (4, 4))]
    return [undecided(1, SPACE), undecided(3, SPACE), *grown]


def scaled(values: list[float]) -> list[float]:
    low, high = min(values), max(values)
    return [0.0 if high == low else (v - low) / (high - low) for v in values]


def slow_scores(
    tables: list[Table], places: list[Place], operations: tuple[str, ...], second: bool
) -> list[float]:
    """The formulas of the paper, one link and one operation at a time."""
    importance, certainty, stability = [], [], []
    for place in places:
        now = dict(zip(operations, tables[-1][place], strict=True))
        importance.append(sum(p for o, p in now.items() if o != ZERO))
        rest = [p / importance[-1] for o, p in now.items() if o != ZERO]
        entropy = -sum(p * math.log(p) for p in rest if p > 0)
        certainty.append(1 - entropy / math.log(len(rest)))
        shared = [
            sum(min(p, q) for p, q in zip(tables[-1][place], old[place], strict=True))
            for old in tables[:-1]
        ]
        stability.append(sum(shared) / max(len(shared), 1))
    found = [a * b for a, b in zip(scaled(importance), scaled(certainty), strict=True)]
    if second and len(tables) > 1:
        found = [a * b for a, b in zip(found, scaled(stability), strict=True)]
    return found


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("name", ["node", "relation"])
@given(seed=st.integers(0, 10**6), window=st.integers(1, 4), which=st.integers(0, 4))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_criteria_against_the_slow_formulas(
    second: bool, name: SpaceName, seed: int, window: int, which: int
) -> None:
    architecture = supernets()[which]
    rng = np.random.default_rng(seed)
    tables = [random_table(architecture, name, rng) for _ in range(window)]
    places = architecture.mixtures(name)
    fast = (criterion_2 if second else criterion_1)(tables, places, SPACE)
    slow = slow_scores(tables, places, SPACE.operations(name), second)
    np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-12)


def test_equal_values_score_nothing_and_ties_go_to_the_lowest_place() -> None:
    architecture = undecided(3, SPACE)
    same = {place: np.full(8, 1 / 8) for place in architecture.mixtures("node")}
    assert not criterion_1([same], list(same), SPACE).any()
    assert not criterion_2([same, same], list(same), SPACE).any()
    found = greedy(architecture, "node", [same], criterion_1)
    assert found is not None
    assert found[1].place == Place("node", 1, 0)
    assert found[1].operation == SPACE.node_operations[0]


def test_a_space_with_one_choice_is_certain() -> None:
    space = Space(node_operations=("V_SUM", ZERO), relations=False)
    architecture = undecided(2, space)
    rng = np.random.default_rng(0)
    tables = [random_table(architecture, "node", rng)]
    assert not criterion_1(tables, architecture.mixtures("node"), space).any()
    assert greedy(architecture, "node", tables, criterion_1) is not None


def test_zero_is_never_taken() -> None:
    mostly_zero = np.array([0.01, 0.02, 0.01, 0.01, 0.01, 0.02, 0.02, 0.9])
    assert strongest(mostly_zero, SPACE, "node") == (SPACE.node_operations[1], 0.02)
    architecture = undecided(2, SPACE)
    table = dict.fromkeys(architecture.mixtures("node"), mostly_zero)
    for chosen in (
        greedy(architecture, "node", [table], criterion_1),
        argmax(architecture, "node", table),
    ):
        assert chosen is not None
        assert all(link.operation != ZERO for _, link in chosen[0].places("node"))


@pytest.mark.parametrize("criterion", ["1", "2"])
@pytest.mark.parametrize("which", range(5))
def test_greedy_decides_exactly_what_is_needed(which: int, criterion: str) -> None:
    architecture = supernets()[which]
    rng = np.random.default_rng(which)
    for name in SPACE.names:
        needed = sum(2 - sum(k.decided for k in v.links(name)) for v in architecture.vertices)
        before = {v: v.links(name) for v in architecture.vertices}
        assert before
        for _ in range(needed):
            tables = [random_table(architecture, name, rng) for _ in range(2)]
            found = greedy(architecture, name, tables, CRITERIA[criterion])
            assert found is not None
            after, decision = found
            kept = [
                link for link in after.vertex(decision.place.vertex).links(name) if link.decided
            ]
            assert (decision.source, decision.operation) in {(k.source, k.operation) for k in kept}
            # Nothing but the vertex of the decision changes.
            for number in range(1, len(after) + 1):
                if number != decision.place.vertex:
                    assert after.vertex(number) == architecture.vertex(number)
            architecture = after
        assert greedy(architecture, name, [{}], CRITERIA[criterion]) is None
    assert architecture.decided
    for vertex in architecture.vertices:
        for name in SPACE.names:
            sources = [link.source for link in vertex.links(name)]
            assert len(sources) == len(set(sources)) == 2


def test_a_complete_vertex_loses_its_other_links() -> None:
    architecture = undecided(3, SPACE)
    certain = np.array([0.93, *[0.01] * 7])
    vague = np.full(8, 1 / 8)
    wanted = {Place("node", 3, 1), Place("node", 3, 3)}
    for _ in range(2):
        mixtures = architecture.mixtures("node")
        table = {place: certain if place in wanted else vague for place in mixtures}
        # Already decided places are no mixtures any more, so the other one is next.
        found = greedy(architecture, "node", [table], criterion_1)
        assert found is not None
        architecture, decision = found
        assert decision.place in wanted
    assert [link.source for link in architecture.vertex(3).links("node")] == [0, 2]
    assert len(architecture.vertex(2).links("node")) == 3
    assert len(architecture.vertex(3).links("relation")) == 4


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("name", ["node", "relation"])
def test_argmax_keeps_the_strongest_links(which: int, name: SpaceName) -> None:
    architecture = supernets()[which]
    table = random_table(architecture, name, np.random.default_rng(which))
    after, decisions = argmax(architecture, name, table)
    told = {(d.place.vertex, d.source, d.operation) for d in decisions}
    for number, vertex in enumerate(architecture.vertices, start=1):
        fixed = {(number, k.source, k.operation) for k in vertex.links(name) if k.decided}
        rated = []
        for position, link in enumerate(vertex.links(name)):
            if not link.decided:
                row = table[Place(name, number, position)]
                best = max(
                    (p, -i, o)
                    for i, (o, p) in enumerate(zip(SPACE.operations(name), row, strict=True))
                    if o != ZERO
                )
                rated.append((-best[0], position, link.source, best[2]))
        chosen = {(number, source, op) for _, _, source, op in sorted(rated)[: 2 - len(fixed)]}
        links = {(number, k.source, k.operation) for k in after.vertex(number).links(name)}
        assert links == fixed | chosen
        assert {t for t in told if t[0] == number} == chosen


def test_argmax_ties_go_to_the_first_link_and_operation() -> None:
    architecture = undecided(3, SPACE)
    same = {place: np.full(8, 1 / 8) for place in architecture.mixtures("node")}
    after, _ = argmax(architecture, "node", same)
    for vertex in after.vertices:
        assert [(k.source, k.operation) for k in vertex.node] == [(-1, "V_MEAN"), (0, "V_MEAN")]
