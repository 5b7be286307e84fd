"""The same command finds its run again."""

import pytest

from argnp.runs.naming import default_name


@pytest.mark.parametrize(
    ("data", "start"),
    [
        ("molecules.csv", "molecules"),
        ("/some/where/Zinc12k.csv.gz", "Zinc12k"),
        ("tu:MUTAG", "tu-MUTAG"),
        ("my.package:data", "my.package-data"),
        ("folder/of graphs/", "of-graphs"),
        ("..", "data"),
        ("x" * 300, "x" * 60),
    ],
)
def test_it_starts_with_something_to_recognise(data: str, start: str) -> None:
    name = default_name(data, "graph-regression", {})
    assert name.rpartition("-")[0] == f"{start}-graph-regression"


def test_it_depends_on_the_settings_and_not_on_their_order() -> None:
    def name(**settings: object) -> str:
        return default_name("zinc", "graph-regression", settings)

    assert name(a=1, b={"c": 2, "d": 3}) == name(b={"d": 3, "c": 2}, a=1)
    assert name(a=1) != name(a=2)


def test_it_stays_the_same_between_versions() -> None:
    expected = "cluster-node-classification-19ae1f49"
    assert default_name("cluster", "node-classification", {"size": 8, "lr": 0.1}) == expected
