import random
from collections import Counter

from argnp.arch import Space, divide, sample
from argnp.arch.sample import complete


def test_uniform_over_pairs_and_operations():
    rng = random.Random(0)
    draws = 6000
    pairs: Counter[tuple[int, ...]] = Counter()
    operations: Counter[str | None] = Counter()
    for _ in range(draws):
        links = sample(2, rng).vertex(2).node
        pairs[tuple(link.source for link in links)] += 1
        operations.update(link.operation for link in links)
    assert set(pairs) == {(-1, 0), (-1, 1), (0, 1)}
    assert "zero" not in operations
    assert len(operations) == 7
    # Five standard deviations of the binomial.
    assert all(abs(n - draws / 3) < 5 * (draws * 2 / 9) ** 0.5 for n in pairs.values())
    assert all(
        abs(n - 2 * draws / 7) < 5 * (2 * draws * 6 / 49) ** 0.5 for n in operations.values()
    )


def test_both_spaces_are_drawn_apart():
    rng = random.Random(1)
    assert any(
        [link.source for link in vertex.node] != [link.source for link in vertex.relation]
        for vertex in sample(8, rng).vertices
    )


def test_completion_keeps_what_is_decided():
    rng = random.Random(2)
    old = sample(3, rng)
    new = complete(divide(old), rng)
    assert new.decided
    for number in (1, 2, 3):
        kept = [link.operation for link in new.vertex(2 * number - 1).node]
        assert kept == [link.operation for link in old.vertex(number).node]


def test_a_smaller_space_is_respected():
    space = Space(node_operations=("V_MAX", "zero"), inputs=1, relations=False)
    architecture = sample(6, random.Random(0), space)
    assert {link.operation for _, link in architecture.places()} == {"V_MAX"}
    assert all(len(vertex.node) == 1 for vertex in architecture.vertices)
