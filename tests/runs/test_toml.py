"""What is written as TOML reads back as it was."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as options
from hypothesis import strategies as st

from argnp.runs.toml import to_toml

text = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
scalars = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | text
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
settings = st.dictionaries(text, values, max_size=5)


@options(deadline=None, derandomize=True)
@given(settings)
def test_round_trip(tree: dict[str, Any]) -> None:
    assert repr(sort(tomllib.loads(to_toml(tree)))) == repr(sort(tree))


def sort(tree: Any) -> Any:
    """In one order, so that ``repr`` compares values and types."""
    if isinstance(tree, dict):
        return {key: sort(tree[key]) for key in sorted(tree)}
    return [sort(item) for item in tree] if isinstance(tree, list) else tree


def test_reads_well() -> None:
    tree = {"data": "x.csv", "search": {"size": 8, "deep": {"lr": 1e-5}}, "pe": None, "s": [0.8, 1]}
    assert to_toml(tree) == (
        'data = "x.csv"\ns = [0.8, 1]\n\n[search]\nsize = 8\n\n[search.deep]\nlr = 1e-05\n'
    )


def test_none_is_left_out_at_every_depth() -> None:
    tree = {"a": None, "b": {"c": None}, "d": [{"e": None, "f": 1}]}
    assert tomllib.loads(to_toml(tree)) == {"b": {}, "d": [{"f": 1}]}


def test_not_a_number_stays_one() -> None:
    assert str(tomllib.loads(to_toml({"a": float("nan")}))["a"]) == "nan"


@pytest.mark.parametrize("value", [[None], b"x", {1, 2}, object()])
def test_what_toml_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="TOML cannot hold"):
        to_toml({"a": value})
