"""Reverse edges, against a slow search, and the modes."""

from collections import Counter

import numpy as np
import pytest

from argnp.data.ingest import ingest
from argnp.data.relations import find_reverse
from argnp.errors import UserError


def _most_pairs(source, target, feature):
    """Matched edges, by counting edges of equal ends and features in either direction."""
    count = Counter(zip(source.tolist(), target.tolist(), feature.tolist(), strict=True))
    loops = sum(n for (s, t, _), n in count.items() if s == t)
    pairs = sum(min(n, count[t, s, f]) for (s, t, f), n in count.items() if s != t)
    return loops + pairs


@pytest.mark.parametrize("seed", range(30))
def test_as_many_edges_are_matched_as_can_be(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 7)), int(rng.integers(0, 40))
    source, target = rng.integers(0, n, (2, m))
    feature = rng.integers(0, 2, m)
    reverse = find_reverse(source, target, n, [feature])
    edges = np.flatnonzero(reverse >= 0)
    back = reverse[edges]
    assert np.array_equal(reverse[back], edges)
    assert np.array_equal(source[back], target[edges])
    assert np.array_equal(target[back], source[edges])
    assert np.array_equal(feature[back], feature[edges])
    assert len(edges) == _most_pairs(source, target, feature)
    loops = source == target
    assert np.array_equal(reverse[loops], np.flatnonzero(loops))


def test_numbers_that_are_equal_match_whatever_their_bits():
    source, target = np.array([0, 1, 1, 2]), np.array([1, 0, 2, 1])
    weight = np.array([[0.0, np.nan], [-0.0, np.nan], [1.0, 2.0], [1.0, 2.5]])
    assert find_reverse(source, target, 3, [weight]).tolist() == [1, 0, -1, -1]


def test_unequal_targets_keep_edges_apart(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True, level="edge")
    assert ingest(raw, name="even", seed=1).schema.relations == "undirected"
    plain = np.flatnonzero(raw.edge_index[0] != raw.edge_index[1])
    raw.y[plain[0]] = 77.0
    assert ingest(raw, name="odd", seed=1).schema.relations == "directed"


def test_targets_outside_training_do_not_decide(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True, level="edge")
    plain = np.flatnonzero(raw.edge_index[0] != raw.edge_index[1])
    graph = int(np.searchsorted(raw.edge_ptr, plain[0], side="right")) - 1
    others = np.delete(np.arange(12), graph)
    tested = {"train": others[:8], "val": others[8:], "test": np.array([graph])}
    trained = {"train": np.array([graph, *others[:7]]), "val": others[7:9], "test": others[9:]}
    raw.y[plain[0]] = 77.0
    with pytest.raises(UserError, match=rf"graph {graph}: the targets of edge .* differ, as none"):
        ingest(raw, name="odd", splits=tested)
    assert ingest(raw, name="odd", splits=tested, relations="directed").source
    assert ingest(raw, name="odd", splits=trained).schema.relations == "directed"
    raw.edge_attr[plain[0]] += 10  # what a test graph looks like, no target tells
    assert ingest(raw, name="odd", splits=tested).schema.relations == "directed"


def test_forced_undirected_names_the_graph_that_breaks_it(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True)
    plain = np.flatnonzero(raw.edge_index[0] != raw.edge_index[1])
    raw.edge_attr[plain[-1]] += 10
    graph = int(np.searchsorted(raw.edge_ptr, plain[-1], side="right")) - 1
    with pytest.raises(UserError, match=rf"graph {graph}: edge \d+ -> \d+ has no reverse"):
        ingest(raw, name="broken", relations="undirected")


def test_directed_can_be_forced_on_symmetric_data(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True)
    dataset = ingest(raw, name="forced", relations="directed")
    assert dataset.schema.relations == "directed"
    assert dataset.source.batch(np.arange(12)).topology.num_relations == raw.num_edges


def test_an_unknown_mode_is_refused(random_raw):
    with pytest.raises(UserError, match="choose from auto, directed"):
        ingest(random_raw(np.random.default_rng(0)), name="x", relations="both")
