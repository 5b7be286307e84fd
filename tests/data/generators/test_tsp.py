import numpy as np
import pytest

from argnp.data.generators import tours_kept
from argnp.data.generators import tsp as tsp_module
from argnp.data.generators.make import generate
from argnp.data.generators.tours import tour
from argnp.data.generators.tsp import TspRecipe, nearest, tsp
from argnp.errors import UserError

pytest.importorskip("fast_tsp")
RECIPE = TspRecipe(smallest=30, largest=40)
FEW = TspRecipe(smallest=8, largest=12, neighbours=4)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "argnp" / "tours"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        return tsp(RECIPE, (4, 1, 1), seed=0)


def test_points_are_uniform_and_as_many_as_asked_for(made):
    sizes = np.diff(made.graphs.node_ptr)
    assert sizes.min() >= 30
    assert sizes.max() <= 40
    assert made.graphs.x.min() >= 0
    assert made.graphs.x.max() <= 1
    assert made.graphs.x.mean() == pytest.approx(0.5, abs=0.05)


def test_every_point_leads_to_its_25_nearest_and_knows_how_far(made):
    raw = made.graphs
    n = raw.node_ptr[1]
    x = raw.x[:n].astype(np.float64)
    edges = raw.edge_index[:, : raw.edge_ptr[1]]
    assert edges.shape[1] == 25 * n
    apart = np.linalg.norm(x[:, None] - x, axis=2)
    np.fill_diagonal(apart, np.inf)
    for point in range(n):
        here = edges[1, edges[0] == point]
        assert set(here) == set(np.argsort(apart[point])[:25])
    assert np.allclose(raw.edge_attr[: raw.edge_ptr[1], 0], apart[edges[0], edges[1]], atol=1e-6)


def test_targets_mark_the_tour_in_both_directions(made):
    raw = made.graphs
    for g in range(raw.num_graphs):
        nodes = slice(raw.node_ptr[g], raw.node_ptr[g + 1])
        edges = slice(raw.edge_ptr[g], raw.edge_ptr[g + 1])
        order = tour(raw.x[nodes].astype(np.float64))
        legs = set(zip(order.tolist(), np.roll(order, -1).tolist(), strict=True))
        legs |= {(b, a) for a, b in legs}
        marked = set(map(tuple, raw.edge_index[:, edges][:, raw.y[edges] == 1].T.tolist()))
        assert marked <= legs
        # A leg may lead beyond the 25 nearest, which among 40 points is rare.
        assert len(marked) >= len(legs) - 2


def test_as_a_dataset_it_is_directed_edge_classification():
    data = generate("tsp", 6, parameters={"smallest": "10", "largest": "12", "neighbours": "4"})
    assert data.schema.task.name == "edge-classification"
    assert data.schema.relations == "directed"
    assert data.metric == "f1"
    assert (data.schema.node.width, data.schema.edge.width) == (2, 1)


def test_few_points_have_fewer_neighbours():
    distance, number = nearest(np.random.default_rng(0).random((6, 2)), 25)
    assert distance.shape == number.shape == (6, 5)


def test_the_seed_decides_everything():
    one, again, other = (tsp(FEW, (4, 2, 2), seed=s).graphs for s in (0, 0, 1))
    assert np.array_equal(one.y, again.y)
    assert np.array_equal(one.x, again.x)
    assert not np.array_equal(again.x[:8], other.x[:8])


def refuse(*_):
    pytest.fail("the solver is called again")


def test_tours_are_found_once(cache, monkeypatch):
    first = tsp(FEW, (4, 2, 2), seed=0).graphs
    monkeypatch.setattr(tsp_module, "tours", refuse)
    assert np.array_equal(tsp(FEW, (4, 2, 2), seed=0).graphs.y, first.y)
    assert [file.suffix for file in cache.iterdir()] == [".npy"]
    with pytest.raises(pytest.fail.Exception):
        tsp(FEW, (4, 2, 2), seed=1)
    with pytest.raises(pytest.fail.Exception):
        tsp(FEW, (4, 2, 3), seed=0)
    monkeypatch.setattr(tours_kept, "_FORMAT", 2)
    with pytest.raises(pytest.fail.Exception):
        tsp(FEW, (4, 2, 2), seed=0)


@pytest.mark.parametrize("damage", ["torn", "other type", "no tour", "pickle"])
def test_damaged_tours_are_found_again(cache, damage):
    first = tsp(FEW, (4, 2, 2), seed=0).graphs
    (file,) = cache.iterdir()
    kept = np.load(file)
    if damage == "torn":
        file.write_bytes(file.read_bytes()[:90])
    elif damage == "other type":
        np.save(file, kept.astype(np.int64))
    elif damage == "no tour":
        np.save(file, np.zeros_like(kept))
    else:
        np.save(file, np.array([kept, None], dtype=object), allow_pickle=True)
    assert np.array_equal(tsp(FEW, (4, 2, 2), seed=0).graphs.y, first.y)
    assert np.array_equal(np.load(file), kept)


def test_all_go_by_the_tours_of_the_one_who_was_faster(cache):
    points = [np.random.default_rng(0).random((5, 2))]
    fast, slow = np.array([0, 1, 2, 3, 4], np.int32), np.array([0, 2, 1, 3, 4], np.int32)

    def find():
        tours_kept.kept_tours(points, lambda: [fast])
        return [slow]

    assert np.array_equal(tours_kept.kept_tours(points, find), [fast])


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert tsp(FEW, (1, 1, 1), seed=0).graphs.num_graphs == 3


def test_progress_is_told_while_tours_are_found_and_never_for_kept_ones():
    told = []
    for _ in range(2):
        generate(
            "tsp",
            (4, 2, 2),
            parameters={"smallest": 8, "largest": 12, "neighbours": 4},
            progress=lambda *now: told.append(now),
        )
    assert told == [(n + 1, 8) for n in range(8)]


def test_impossible_sizes_are_refused():
    with pytest.raises(UserError, match="smallest=60 exceeds largest=50"):
        tsp(TspRecipe(smallest=60, largest=50), (1, 1, 1), seed=0)
