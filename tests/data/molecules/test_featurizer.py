import json

import pytest

from argnp.data.molecules.featurizer import BY_NAME, Featurizer, featurizer_called
from argnp.errors import UserError


@pytest.mark.parametrize("name", BY_NAME)
def test_it_survives_json(name: str) -> None:
    featurizer = featurizer_called(name)
    assert Featurizer.from_dict(json.loads(json.dumps(featurizer.to_dict()))) == featurizer


def test_vocabularies_have_the_benchmarks_sizes_and_no_value_twice() -> None:
    assert (BY_NAME["zinc"].node_sizes, BY_NAME["zinc"].edge_sizes) == ((28,), (4,))
    assert BY_NAME["rich"].node_sizes == (118, 4, 11, 11, 9, 5, 5, 2, 2)
    assert BY_NAME["rich"].edge_sizes == (4, 6, 2)
    for featurizer in BY_NAME.values():
        for _, values in featurizer.atoms + featurizer.bonds:
            assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "one"}, "version"),
        ({"name": "own"}, "own"),
        ({"atoms": [["valence", [1, 2]]]}, "'valence' is unknown here"),
        ({"atoms": [["degree", list(range(300))]]}, "more than 255 values"),
    ],
)
def test_what_is_not_known_is_refused_in_one_line(change: dict, message: str) -> None:
    with pytest.raises(UserError, match=message):
        Featurizer.from_dict(BY_NAME["rich"].to_dict() | change)


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(UserError, match="rich and zinc"):
        featurizer_called("poor")
