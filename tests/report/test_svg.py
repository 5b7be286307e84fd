import random
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from argnp.arch import NODE_OPERATIONS, Architecture, Space, sample, undecided
from argnp.report.svg import draw

_SVG = "{http://www.w3.org/2000/svg}"
SIZES = (2, 4, 8, 16)


def architectures(size: int) -> list[Architecture]:
    rng = random.Random(size)
    grown = sample(size // 2, rng).divide() if size > 1 else sample(1, rng)
    return [*(sample(size, rng) for _ in range(3)), grown, sample(size, rng, Space(cells=2))]


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)


def texts(element: ET.Element) -> list[str]:
    return ["".join(one.itertext()) for one in element.iter(f"{_SVG}text")]


@pytest.mark.parametrize("size", SIZES)
def test_every_link_is_drawn_once(size: int) -> None:
    for architecture in architectures(size):
        root = parsed(draw(architecture))
        keys = sorted(f"{p.space}-{p.vertex}-{p.link}" for p, _ in architecture.places())
        for attribute in ("data-link", "data-wire"):
            assert sorted(e.get(attribute) for e in root.iter() if e.get(attribute)) == keys


@pytest.mark.parametrize("size", SIZES)
def test_every_pill_names_its_operation_and_its_source(size: int) -> None:
    architecture = sample(size, random.Random(size))
    root = parsed(draw(architecture))
    for place, link in architecture.places():
        key = f"{place.space}-{place.vertex}-{place.link}"
        (mark,) = [e for e in root.iter() if e.get("data-link") == key]
        tag, label = texts(mark)
        assert link.operation is not None
        assert label == link.operation.removeprefix("V_").removeprefix("E_")
        assert tag == (str(link.source) if link.source > 0 else "in")


@pytest.mark.parametrize("size", SIZES)
def test_wires_lead_from_one_branch_to_the_next(size: int) -> None:
    for architecture in architectures(size):
        root = parsed(draw(architecture))
        fed = [e.get("data-trunk", "").split() for e in root.iter() if e.get("data-trunk")]
        branches = [e.get("data-wire") for e in root.iter() if e.get("data-wire")]
        assert [keys[0] for keys in fed] == branches
        for keys, rest in pairwise(fed):
            assert rest == keys[1:] or len(keys) == 1


def test_guidance_goes_with_every_operation_that_is_guided() -> None:
    architecture = sample(8, random.Random(5))
    root = parsed(draw(architecture))
    wanted = {
        f"{p.space}-{p.vertex}-{p.link}"
        for p, link in architecture.places()
        if link.operation != "skip"
    }
    assert {e.get("data-guide") for e in root.iter() if e.get("data-guide")} == wanted


def test_without_relations_there_is_one_stream_and_no_guidance() -> None:
    text = draw(sample(4, random.Random(0), Space(relations=False)))
    assert "data-guide" not in text
    assert "relation stream" not in text


def test_inputs_are_two_only_with_stacked_cells() -> None:
    for cells, names in ((1, ["in"]), (2, ["in0", "in1"])):
        root = parsed(draw(sample(3, random.Random(0), Space(cells=cells))))
        pairs = [e.get("data-vertex") for e in root.iter() if e.get("data-vertex")]
        assert pairs == [*names, "1", "2", "3", "out"]


def test_mixtures_are_dashed_and_decided_links_are_not() -> None:
    architecture = sample(4, random.Random(1)).divide()
    root = parsed(draw(architecture))
    for place, link in architecture.places():
        key = f"{place.space}-{place.vertex}-{place.link}"
        (mark,) = [e for e in root.iter() if e.get("data-link") == key]
        dashed = any(e.get("stroke-dasharray") for e in mark.iter())
        assert dashed is not link.decided


def test_new_vertices_are_marked() -> None:
    root = parsed(draw(sample(2, random.Random(1)).divide(), new=[2, 4]))
    marked = [e.get("data-vertex") for e in root.iter() if e.get("class") == "pair new"]
    assert marked == ["2", "4"]


def test_the_picture_says_what_it_shows() -> None:
    architecture = sample(2, random.Random(3))
    root = parsed(draw(architecture, name="mine"))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "mine-title mine-text"
    description = root.findtext(f"{_SVG}desc") or ""
    for _, link in architecture.places():
        assert f"{link.operation} from" in description
    assert root.findtext(f"{_SVG}title") == "Architecture of 2 vertices, nodes and relations"


def test_names_that_are_markup_are_only_text() -> None:
    space = Space(node_operations=(*NODE_OPERATIONS, "<b>&mine"))
    architecture = undecided(1, space)
    links = tuple(type(x)(x.source, "<b>&mine") for x in architecture.vertex(1).node)
    text = draw(architecture.with_links("node", 1, links))
    assert "<b>&mine" in texts(parsed(text))


def test_it_needs_nothing_from_outside() -> None:
    text = draw(sample(4, random.Random(0)))
    assert "href" not in text
    assert "url(" not in text
    assert text.count("http") == text.count("http://www.w3.org/2000/svg")


def test_the_same_architecture_gives_the_same_picture() -> None:
    assert draw(sample(8, random.Random(9))) == draw(sample(8, random.Random(9)))


def test_every_colour_has_its_dark_counterpart() -> None:
    root = parsed(draw(sample(4, random.Random(0))))
    for element in root.iter():
        for attribute, prefix in (("fill", "f-"), ("stroke", "s-")):
            colour = element.get(attribute)
            if colour not in (None, "none"):
                classes = (element.get("class") or "").split()
                assert any(name.startswith(prefix) for name in classes), element.attrib
