from argnp.arch import IN0, IN1, Architecture, Link, Space, Vertex, undecided
from argnp.nets.compile import ALWAYS, alive, bank_rows, mixture_index, plan


def plans_of(architecture):
    return {
        (space, number): plan(
            architecture,
            space,
            number,
            bank_rows(architecture, space, number),
            mixture_index(architecture, space),
        )
        for space in architecture.space.names
        for number in range(1, len(architecture) + 1)
    }


def test_a_supernet_computes_every_candidate_but_zero():
    planned = plans_of(undecided(2))["node", 2]
    assert planned.sources == (IN0, IN1, 1)
    assert len(planned.terms) == 3 * 7
    assert sum(term.row >= 0 for term in planned.terms) == 3 * 6
    assert sorted({term.row for term in planned.terms}) == [-1, *range(18)]
    # Vertex 1 has the first two rows of eight mixture weights, vertex 2 the next three.
    assert min(planned.weights) == 16
    assert max(planned.weights) < 40


def test_decided_links_are_scaled_by_one_and_keep_their_rows():
    supernet = undecided(1)
    rows = bank_rows(supernet, "node", 1)
    mixtures = mixture_index(supernet, "node")
    decided = supernet.with_links("node", 1, (Link(IN0), Link(IN1, "V_MAX")))
    planned = plan(decided, "node", 1, rows, mixtures)
    last = planned.terms[-1]
    assert (last.operation, last.row) == ("V_MAX", rows[IN1, "V_MAX"])
    assert planned.weights[-1] == ALWAYS
    assert planned.weights[:-1] == (0, 1, 2, 3, 4, 5, 6)


def test_what_no_head_reads_is_not_computed():
    links = (Link(IN0, "V_MAX"), Link(IN1, "skip"))
    relations = (Link(IN0, "E_MAX"), Link(IN1, "skip"))
    after = (Link(IN0, "V_MAX"), Link(1, "skip"))
    architecture = Architecture((Vertex(links, relations), Vertex(after, relations)))
    every = {(space, number) for space in ("node", "relation") for number in (1, 2)}
    plans = plans_of(architecture)
    assert alive(plans, ("node", "relation")) == every
    assert alive(plans, ("node",)) == every - {("relation", 2)}
    # Nobody reads V_2; V_1 guides nothing here either.
    assert alive(plans, ("relation",)) == {("relation", 1), ("relation", 2)}


def test_without_relations_there_are_none():
    assert {space for space, _ in plans_of(undecided(2, Space(relations=False)))} == {"node"}
