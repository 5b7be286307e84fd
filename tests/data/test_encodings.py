"""Encodings against their definitions, one graph at a time."""

import numpy as np
import pytest

from argnp.data import encodings, encodings_large
from argnp.data import mapped as mapped_module
from argnp.data.encodings import encode, fix_signs
from argnp.data.raw import RawGraphs
from argnp.data.schema import Encoding
from argnp.errors import UserError


def _adjacency(raw, graph):
    n = int(np.diff(raw.node_ptr)[graph])
    matrix = np.zeros((n, n))
    for e in range(raw.edge_ptr[graph], raw.edge_ptr[graph + 1]):
        s, t = raw.edge_index[:, e]
        matrix[s, t] = matrix[t, s] = 1
    return matrix


def _ring(n, name_ids=None):
    here = np.arange(n, dtype=np.int32)
    ends = np.stack([here, np.roll(here, -1)])
    ptr = np.array([0, n])
    return RawGraphs(ptr, ptr, ends, ids=name_ids)


def test_return_probabilities_are_diagonals_of_powers(random_raw):
    raw = random_raw(np.random.default_rng(0), graphs=30)
    found = encode(raw, Encoding("rwse", 6))
    for g in range(30):
        matrix = _adjacency(raw, g)
        walk = matrix / np.maximum(matrix.sum(1, keepdims=True), 1)
        power, own = np.eye(len(walk)), slice(*raw.node_ptr[g : g + 2])
        for step in range(6):
            power = power @ walk
            assert np.allclose(found[own, step], np.diag(power), atol=1e-6)


def test_eigenvectors_are_those_of_the_smallest_eigenvalues_but_the_first(random_raw):
    raw = random_raw(np.random.default_rng(1), graphs=30, most_nodes=9)
    found = encode(raw, Encoding("lap", 5)).astype(np.float64)
    for g in range(30):
        matrix = _adjacency(raw, g)
        n = len(matrix)
        scale = np.maximum(matrix.sum(1), 1) ** -0.5
        laplacian = np.eye(n) - scale[:, None] * matrix * scale
        own = found[raw.node_ptr[g] : raw.node_ptr[g + 1]]
        there = min(5, n - 1)
        assert not own[:, there:].any()
        values = np.linalg.eigvalsh(laplacian)[1 : there + 1]
        vectors = own[:, :there]
        assert np.allclose(laplacian @ vectors, vectors * values, atol=1e-6)
        assert np.allclose(vectors.T @ vectors, np.eye(there), atol=1e-6)


def test_signs_follow_the_largest_entry():
    columns = np.array([[0.1, -3.0, 2.0], [-0.5, 1.0, -2.0]])
    assert fix_signs(columns).tolist() == [[-0.1, 3.0, 2.0], [0.5, -1.0, -2.0]]


@pytest.mark.parametrize("kind", ["lap", "rwse"])
def test_large_graphs_get_what_small_ones_get(monkeypatch, kind):
    rng = np.random.default_rng(0)
    n = 60
    ends = np.concatenate(
        [rng.integers(0, n, (2, 200)), [np.arange(n), np.roll(np.arange(n), 1)]], 1
    )
    raw = RawGraphs(np.array([0, n]), np.array([0, ends.shape[1]]), ends.astype(np.int32))
    small = encode(raw, Encoding(kind, 4))
    monkeypatch.setattr(encodings, "DENSE", 10)
    monkeypatch.setattr(encodings_large, "BLOCK", 7)
    assert np.allclose(encode(raw, Encoding(kind, 4)), small, atol=1e-3)


def test_walks_on_a_huge_graph_are_refused(monkeypatch):
    monkeypatch.setattr(encodings, "DENSE", 10)
    monkeypatch.setattr(encodings_large, "MOST_WALK_NODES", 20)
    with pytest.raises(UserError, match="graph 0: return probabilities of 40 nodes"):
        encode(_ring(40), Encoding("rwse", 4))


def test_a_cache_is_read_by_content_and_mended_when_torn(tmp_path, monkeypatch):
    first = encode(_ring(8), Encoding("rwse", 4), tmp_path)
    (file,) = tmp_path.iterdir()
    monkeypatch.setattr(encodings, "_compute", lambda *_: pytest.fail("computed again"))
    assert np.array_equal(encode(_ring(8), Encoding("rwse", 4), tmp_path), first)
    monkeypatch.undo()
    file.write_bytes(file.read_bytes()[:100])
    assert np.array_equal(encode(_ring(8), Encoding("rwse", 4), tmp_path), first)
    encode(_ring(9), Encoding("rwse", 4), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_what_an_earlier_version_kept_is_not_read(tmp_path, monkeypatch):
    encode(_ring(8), Encoding("rwse", 4), tmp_path)
    monkeypatch.setattr(encodings, "FORMAT", encodings.FORMAT + 1)
    encode(_ring(8), Encoding("rwse", 4), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_no_encoding_is_none():
    assert encode(_ring(5), Encoding()) is None


@pytest.mark.parametrize("mapped", [0, 2**30])
def test_a_kept_encoding_is_mapped_where_it_is_large(tmp_path, monkeypatch, mapped):
    monkeypatch.setattr(mapped_module, "MAPPED", mapped)
    first = encode(_ring(8), Encoding("lap", 4), tmp_path)
    kept = encode(_ring(8), Encoding("lap", 4), tmp_path)
    assert np.array_equal(first, encode(_ring(8), Encoding("lap", 4)))
    assert np.array_equal(first, kept)
    assert [file.suffix for file in tmp_path.iterdir()] == [".npy"]


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path):
    (tmp_path / "file").write_text("")
    found = encode(_ring(8), Encoding("rwse", 4), tmp_path / "file" / "cache")
    assert np.array_equal(found, encode(_ring(8), Encoding("rwse", 4)))
