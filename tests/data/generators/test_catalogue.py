import pytest

from argnp.data.generators.catalogue import GENERATORS, generator, read_recipe
from argnp.data.generators.cluster import ClusterRecipe
from argnp.errors import UserError


def test_published_sizes():
    assert GENERATORS["cluster"].full == (10_000, 1_000, 1_000)
    assert GENERATORS["pattern"].full == (10_000, 2_000, 2_000)
    assert GENERATORS["tsp"].full == (10_000, 1_000, 1_000)


def test_text_from_the_command_line_becomes_numbers():
    assert read_recipe("cluster", {"p": "0.6", "largest": "14"}) == ClusterRecipe(p=0.6, largest=14)


@pytest.mark.parametrize(
    ("name", "parameters", "line"),
    [
        ("cluster", {"P": 1}, "cluster has no parameter 'P'; it has communities=6, smallest=5"),
        ("cluster", {"p": 1.5}, "cluster, parameter p: Expected `float` <= 1.0"),
        ("tsp", {"smallest": "many"}, "tsp, parameter smallest: Expected `int`, got `str`"),
        ("superpixels", {"style": "svhn"}, "superpixels, parameter style: Invalid enum value"),
    ],
)
def test_wrong_parameters_are_told_in_a_line(name, parameters, line):
    with pytest.raises(UserError) as told:
        read_recipe(name, parameters)
    assert line in str(told.value)


def test_an_unknown_generator_lists_the_known_ones():
    with pytest.raises(UserError, match="choose cluster, pattern, tsp, superpixels"):
        generator("clutter")
