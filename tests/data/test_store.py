"""Batches hold what the raw graphs hold, in whichever order graphs are picked."""

import dataclasses
import subprocess
import sys
import textwrap

import msgspec
import numpy as np
import pytest
import torch

from argnp.data.folder import open_dataset, save_dataset
from argnp.data.ingest import ingest
from argnp.data.schema import Encoding, Features

PICKS = [[3], [0, 1, 2, 3], [5, 2, 9, 2], list(range(12)), [11, 0]]


def _whole(raw, **options):
    """Every graph trains, as far as features go."""
    names = {"train": np.arange(raw.num_graphs - 2)}
    n = raw.num_graphs
    names |= {"val": np.array([n - 2]), "test": np.array([n - 1])}
    sizes = {"node_sizes": (4, 4)} if raw.x.dtype.kind == "i" else {}
    raw = dataclasses.replace(raw, edge_sizes=(3, 3), **sizes)
    return ingest(raw, name="random", splits=names, **options)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("level", ["graph", "node", "edge"])
@pytest.mark.parametrize("seed", range(5))
def test_batch_equals_raw_graphs(random_raw, messages_of, raw_messages, seed, level, symmetric):
    raw = random_raw(np.random.default_rng(seed), symmetric=symmetric, level=level)
    dataset = _whole(raw)
    assert dataset.schema.relations == ("undirected" if symmetric else "directed")
    for pick in PICKS:
        batch = dataset.source.batch(np.array(pick))
        assert batch.graph.tolist() == pick
        topology = batch.topology
        assert topology.num_nodes == sum(np.diff(raw.node_ptr)[pick])
        assert topology.num_edges == sum(np.diff(raw.edge_ptr)[pick])
        for place, graph in enumerate(pick):
            assert messages_of(batch, place) == raw_messages(raw, graph)
            nodes = slice(*topology.node_ptr[place : place + 2].tolist())
            own = slice(*raw.node_ptr[graph : graph + 2])
            assert np.array_equal(batch.node[nodes], raw.x[own])
            relations = slice(*topology.relation_ptr[place : place + 2].tolist())
            ordered = topology.target[relations].tolist()
            assert ordered == sorted(ordered)
            if level == "node":
                assert np.allclose(batch.target[nodes, 0], raw.y[own])
        if level == "graph":
            assert np.allclose(batch.target[:, 0], raw.y[pick])
        messages = topology.messages[1].long()
        assert torch.equal(
            topology.degree, torch.bincount(messages, minlength=topology.num_nodes).float()
        )


@pytest.mark.parametrize("symmetric", [False, True])
def test_edge_targets_follow_their_edges(random_raw, symmetric):
    raw = random_raw(np.random.default_rng(1), symmetric=symmetric, level="edge")
    store = _whole(raw).source
    for pick in PICKS:
        graphs = np.array(pick)
        batch = store.batch(graphs)
        wanted = np.concatenate([raw.y[slice(*raw.edge_ptr[g : g + 2])] for g in pick])
        relation = store.input_rows(graphs)
        assert np.allclose(batch.target[relation, 0], wanted)


def test_types_are_those_of_the_contract(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True)
    batch = _whole(raw, encoding=Encoding("rwse", 4)).source.batch(np.array([1, 5]))
    topology = batch.topology
    for tensor in (topology.source, topology.target, topology.node_ptr, topology.relation_ptr):
        assert tensor.dtype == torch.int32
    assert topology.degree.dtype == topology.multiplicity.dtype == torch.float32
    assert batch.node.dtype == batch.edge.dtype == torch.int64
    assert batch.target.dtype == batch.encoding.dtype == torch.float32


def test_codes_never_seen_in_training_take_the_last_slot(random_raw):
    raw = random_raw(np.random.default_rng(0))
    raw.x[: raw.node_ptr[10]] = np.minimum(raw.x[: raw.node_ptr[10]], 1)
    raw.x[-1] = [3, -5]
    splits = {"train": np.arange(10), "val": np.array([10]), "test": np.array([11])}
    dataset = ingest(raw, name="random", splits=splits)
    assert dataset.schema.node.sizes == (2, 2)
    assert dataset.source.batch(np.array([11])).node[-1].tolist() == [2, 2]


def test_missing_targets_weigh_nothing(random_raw):
    raw = random_raw(np.random.default_rng(0))
    raw.y[3] = np.nan
    batch = _whole(raw).source.batch(np.array([2, 3]))
    assert batch.weight.tolist() == [[1.0], [0.0]]
    assert batch.target[1, 0] == 0
    assert _whole(raw).source.batch(np.array([2])).weight is None


def test_rows_of_another_split_weigh_nothing(random_raw):
    raw = random_raw(np.random.default_rng(0), level="node")
    store = _whole(raw).source
    rows = np.array([0, int(raw.node_ptr[4])])
    batch = store.batch(np.array([4, 0]), rows=rows)
    counted = torch.zeros(batch.topology.num_nodes, 1)
    counted[0] = counted[batch.topology.node_ptr[1]] = 1
    assert torch.equal(batch.weight, counted)
    assert store.owners(rows).tolist() == [0, 4]


def test_signs_are_one_per_graph_and_column_and_only_of_eigenvectors(random_raw):
    raw = random_raw(np.random.default_rng(0), symmetric=True, most_nodes=12)
    store = _whole(raw, encoding=Encoding("lap", 3)).source
    graphs = np.arange(12)
    plain = store.batch(graphs)
    flipped = store.batch(graphs, rng=np.random.default_rng(5))
    again = store.batch(graphs, rng=np.random.default_rng(5))
    assert torch.equal(flipped.encoding, again.encoding)
    assert not torch.equal(flipped.encoding, plain.encoding)
    for g in graphs:
        nodes = slice(*plain.topology.node_ptr[g : g + 2].tolist())
        for k in range(3):
            a, b = plain.encoding[nodes, k], flipped.encoding[nodes, k]
            assert torch.equal(a, b) or torch.equal(a, -b)
    walks = _whole(raw, encoding=Encoding("rwse", 3)).source
    assert torch.equal(
        walks.batch(graphs, rng=np.random.default_rng(5)).encoding, walks.batch(graphs).encoding
    )


def test_relations_off_keep_directed_edges_and_no_features(random_raw, raw_messages, messages_of):
    raw = random_raw(np.random.default_rng(3), symmetric=True)
    dataset = _whole(raw, relations="off")
    assert dataset.schema.relations == "off"
    assert dataset.schema.edge.kind == "none"
    batch = dataset.source.batch(np.array([7]))
    assert batch.edge is None
    assert not batch.topology.undirected
    assert messages_of(batch, 0) == [(s, t, ()) for s, t, _ in raw_messages(raw, 7)]


def test_a_dataset_larger_than_memory_gives_its_batches(tmp_path, random_raw):
    """The data segment may hold 200 MB on top of the imports; node features alone are 500 MB."""
    rng = np.random.default_rng(0)
    dataset = _whole(random_raw(rng, floats=True, graphs=12))
    small = dataset.source
    nodes, width = 500, 250_000
    graphs = nodes
    big = dataclasses.replace(
        small,
        node_ptr=np.arange(graphs + 1, dtype=np.int64),
        relation_ptr=np.zeros(graphs + 1, dtype=np.int64),
        edge_ptr=np.zeros(graphs + 1, dtype=np.int64),
        source=np.empty(0, np.int32),
        target=np.empty(0, np.int32),
        degree=np.zeros(nodes, np.float32),
        relation_of=np.empty(0, np.int32),
        backward=np.empty(0, bool),
        edge=np.empty((0, 2), np.uint8),
        node=np.ones((2, 2), np.float32),
        y=np.zeros((graphs, 1)),
    )
    splits = {"train": np.arange(400), "val": np.arange(400, 450), "test": np.arange(450, 500)}
    schema = msgspec.structs.replace(dataset.schema, node=Features("floats", width=width))
    save_dataset(dataclasses.replace(dataset, source=big, splits=splits, schema=schema), tmp_path)
    # A file with holes: as large as it says, without a disk to fill.
    np.lib.format.open_memmap(
        tmp_path / "node.npy", mode="w+", dtype=np.float32, shape=(nodes, width)
    ).flush()
    assert (tmp_path / "node.npy").stat().st_size > 490e6
    script = f"""
        import resource, torch
        from pathlib import Path
        import numpy as np
        from argnp.data.folder import open_dataset
        from argnp.data.info import describe
        from argnp.data.loader import Loader
        torch.set_num_threads(1)
        def kilobytes():
            status = open("/proc/self/status").read()
            return int(status.split("VmData:")[1].split()[0])
        limit = kilobytes() * 1024 + 200 * 2**20
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        try:
            np.ones(300 * 2**20, dtype=np.uint8)
        except MemoryError:
            pass
        else:
            raise SystemExit("the limit does not hold")
        data = open_dataset(Path({str(tmp_path)!r}))
        seen = 0
        for batch in Loader.of(data, data.splits["train"], 16, training=True).epoch(0):
            assert batch.node.shape[1] == {width}
            seen += batch.num_graphs
        assert describe(data).rows
        print(seen)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "400", done.stderr
    assert open_dataset(tmp_path).source.node.base is not None
