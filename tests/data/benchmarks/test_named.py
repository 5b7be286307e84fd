import pytest

from argnp.data.benchmarks.named import is_named, load_named, names
from argnp.errors import UserError


def test_names_of_the_interface_are_known():
    listed = (
        "cluster pattern tsp shapes zinc zinc-full cifar10 mnist modelnet10 modelnet40 digits "
        "tu:MUTAG planetoid:Cora ogb:ogbg-molhiv moleculenet:ESOL"
    )
    assert all(map(is_named, listed.split()))
    assert not any(map(is_named, ("molecules.csv", "tu:", "ogb", "my.module:data", "superpixels")))
    assert "tu:NAME" in names()


def test_an_unknown_name_lists_the_known_ones(tmp_path):
    with pytest.raises(UserError, match="choose cluster, pattern, tsp"):
        load_named("zync", tmp_path)


def test_digits_need_no_files(tmp_path):
    pytest.importorskip("sklearn")
    data = load_named("digits", tmp_path, graphs=(60, 20, 20))
    assert data.schema.task.outputs == 10
    assert data.schema.relations == "undirected"


def test_recipe_parameters_ask_for_generation(tmp_path):
    data = load_named("cluster", tmp_path, graphs=6, parameters={"largest": 14})
    assert data.source.sizes()[0].max() <= 6 * 14
    assert "largest=14" in " ".join(data.notes)
    with pytest.raises(UserError, match=r"cluster has no parameter 'biggest'; it has communities"):
        load_named("cluster", tmp_path, parameters={"biggest": 14})
