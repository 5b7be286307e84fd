import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argnp.arch import Architecture, Space, divide, sample, undecided


@given(
    seed=st.integers(0, 1000), size=st.integers(1, 9), cells=st.integers(1, 3), dual=st.booleans()
)
def test_round_trip(seed, size, cells, dual):
    architecture = sample(
        size, random.Random(seed), Space(cells=cells, relations=dual, start_size=3)
    )
    back = Architecture.from_json(architecture.to_json())
    assert back == architecture
    assert back.space.start_size == 3
    assert Architecture.from_json(divide(architecture).to_json()) == divide(architecture)


def test_mixtures_survive():
    assert Architecture.from_json(undecided(3).to_json()) == undecided(3)


def _broken(edit):
    value = json.loads(sample(5, random.Random(0)).to_json())
    edit(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda v: v["vertices"][4]["node"][1].update(source=9),
            r"vertex 5, node link 2: source 9 does not come before 5",
        ),
        (
            lambda v: v["vertices"][0]["relation"][0].update(source="in7"),
            r"vertex 1, relation link 1: source 'in7' is neither",
        ),
        (lambda v: v["vertices"][2].pop("node"), r"vertex 3: 'node' is missing"),
        (lambda v: v["vertices"][2]["node"][0].update(op=1), r"vertex 3, node link 1: 'op' is unk"),
        (lambda v: v["vertices"][0]["node"][0].update(operation=3), r"operation 3 is no name"),
        (lambda v: v.update(schema=99), r"schema: 99 is not 1"),
        (lambda v: v.update(schema=True), r"schema: True is not 1"),
        (lambda v: v.update(vertices={}), r"vertices: a list is expected, not dict"),
        (lambda v: v.update(vertices=[]), r"vertices: there is none"),
        (lambda v: v["space"].update(cells="two"), r"space, cells: 'two' is no int"),
        (lambda v: v["space"].update(cells=0), r"space, cells: 0 is less than 1"),
        (lambda v: v["space"].update(node_operations=[1]), r"space, node_operations: names"),
    ],
)
def test_broken_files_say_where(edit, message):
    with pytest.raises(ValueError, match=message):
        Architecture.from_json(_broken(edit))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", b"\xff\xfe\x00", '"x"', "[" * 200_000, "9" * 5000]
)
def test_no_architecture_at_all(text):
    with pytest.raises(ValueError, match=r"JSON|an object is expected"):
        Architecture.from_json(text)
