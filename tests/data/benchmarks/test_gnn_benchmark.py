from dataclasses import replace

import pytest
import torch

from argnp.data.benchmarks.named import load_named
from argnp.data.generators.catalogue import GENERATORS
from argnp.errors import UserError


def ring(n):
    there = torch.arange(n)
    back = (there + 1) % n
    return torch.stack([torch.cat([there, back]), torch.cat([back, there])])


def cluster_graph(n, generator):
    x = torch.nn.functional.one_hot(torch.randint(0, 7, (n,), generator=generator), 7).float()
    y = torch.arange(n) % 6
    return {"x": x, "edge_index": ring(n), "edge_attr": torch.ones(2 * n, 1), "y": y}


def tsp_graph(n, generator):
    return {
        "x": torch.rand(n, 2, generator=generator),
        "edge_index": ring(n),
        "edge_attr": torch.rand(2 * n, 1, generator=generator),
        "y": torch.arange(2 * n) % 2,
    }


def pattern_graph(n, generator):
    x = torch.nn.functional.one_hot(torch.randint(0, 3, (n,), generator=generator), 3).float()
    return {"x": x, "edge_index": ring(n), "edge_attr": torch.ones(2 * n, 1), "y": x[:, 0].long()}


def digit_graph(n, generator):
    return {**image_graph(n, generator), "x": torch.rand(n, 1, generator=generator)}


def image_graph(n, generator):
    return {
        "x": torch.rand(n, 3, generator=generator),
        "edge_index": ring(n),
        "edge_attr": torch.rand(2 * n, generator=generator),
        "y": torch.tensor([n % 10]),
        "pos": torch.rand(n, 2, generator=generator),
    }


def write_raw(root, name, graph):
    generator = torch.Generator().manual_seed(0)
    folder = root / name / "raw"
    folder.mkdir(parents=True)
    sizes = range(10, 30)
    lists = tuple([graph(n + shift, generator) for n in sizes] for shift in range(3))
    torch.save(lists, folder / f"{name}_v2.pt")


def test_cluster_comes_as_one_code_of_seven_values(tmp_path):
    write_raw(tmp_path, "CLUSTER", cluster_graph)
    data = load_named("cluster", tmp_path)
    assert data.schema.node.kind == "codes"
    assert data.schema.node.sizes == (7,)
    assert data.schema.task.name == "node-classification"
    assert data.schema.task.outputs == 6
    assert data.metric == "balanced_accuracy"
    assert [len(data.splits[s]) for s in ("train", "val", "test")] == [20, 20, 20]
    assert "files in" in " ".join(data.notes)
    assert "generated" not in " ".join(data.notes)


def test_tsp_has_a_target_on_every_edge(tmp_path):
    write_raw(tmp_path, "TSP", tsp_graph)
    data = load_named("tsp", tmp_path)
    assert data.schema.task.name == "edge-classification"
    assert data.metric == "f1"
    assert data.schema.node.width == 2
    assert data.schema.edge.width == 1
    batch = data.source.batch(data.splits["test"][:2])
    assert batch.target.shape[0] == batch.topology.num_relations


def test_superpixels_keep_colour_and_place(tmp_path):
    write_raw(tmp_path, "CIFAR10", image_graph)
    data = load_named("cifar10", tmp_path)
    assert data.schema.node.width == 5
    assert data.schema.edge.width == 1
    assert data.metric == "accuracy"
    assert data.schema.task.outputs == 10


def test_pattern_comes_as_one_code_of_three_values(tmp_path):
    write_raw(tmp_path, "PATTERN", pattern_graph)
    data = load_named("pattern", tmp_path)
    assert data.schema.node.kind == "codes"
    assert data.schema.node.sizes == (3,)
    assert data.schema.task.name == "node-classification"
    assert data.schema.task.outputs == 2
    assert data.metric == "balanced_accuracy"
    batch = data.source.batch(data.splits["test"][:3])
    assert torch.equal(batch.target == 1, batch.node.flatten() == 0)


def test_digits_keep_shade_and_place(tmp_path):
    write_raw(tmp_path, "MNIST", digit_graph)
    data = load_named("mnist", tmp_path)
    assert data.schema.node.width == 3
    assert data.schema.edge.width == 1
    assert data.schema.task.name == "graph-classification"
    assert data.schema.task.outputs == 10
    assert [len(data.splits[s]) for s in ("train", "val", "test")] == [20, 20, 20]


def test_asking_for_graphs_generates_though_files_are_there(tmp_path):
    write_raw(tmp_path, "CLUSTER", cluster_graph)
    data = load_named("cluster", tmp_path, graphs=(4, 2, 2), seed=3)
    assert len(data.source) == 8
    assert "generated: cluster, 4 / 2 / 2 graphs, seed 3" in data.notes


def test_without_files_and_network_a_small_set_is_generated_and_said(tmp_path, monkeypatch):
    fewer = replace(GENERATORS["cluster"], small=(12, 4, 4))
    monkeypatch.setitem(GENERATORS, "cluster", fewer)
    data = load_named("cluster", tmp_path)
    assert len(data.splits["train"]) == 12
    assert "10000/1000/1000" in data.notes[0]
    assert "no download; generated instead" in data.notes[0]
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_generated_says_where_it_comes_from(tmp_path):
    with pytest.raises(UserError, match=r"MNIST_v2\.zip") as told:
        load_named("mnist", tmp_path)
    assert str(tmp_path / "MNIST" / "raw") in str(told.value)
    with pytest.raises(UserError, match="cannot be generated"):
        load_named("mnist", tmp_path, graphs=10)


def test_code_in_the_raw_file_is_refused(tmp_path, attack):
    payload, bait = attack
    (tmp_path / "CLUSTER" / "raw").mkdir(parents=True)
    torch.save(payload, tmp_path / "CLUSTER" / "raw" / "CLUSTER_v2.pt")
    with pytest.raises(UserError, match="no tensor"):
        load_named("cluster", tmp_path)
    assert not bait.exists()
