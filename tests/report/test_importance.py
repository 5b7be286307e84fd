"""The picture of what mattered, read back as XML."""

import math
import xml.etree.ElementTree as ET

from argnp.report.importance import picture

SQUARE = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
PAIRS = [[0, 1], [1, 2], [2, 3]]


def drawn(**more):
    return ET.fromstring(picture(SQUARE, PAIRS, **more))


def tips(root):
    return [title.text for title in root.findall(".//{*}title")]


def opacities(root, tag):
    return [float(e.attrib["opacity"]) for e in root.findall(f".//{{*}}{tag}") if len(e)]


def test_the_stronger_the_more_opaque_and_the_sign_is_a_colour():
    root = drawn(nodes=[0.5, -2.0, 0.0, 1.0], relations=[1.0, 0.001, -1.0])
    assert tips(root) == [
        "1 to 2: 1.00", "3 to 4: −1.00", "1: 0.500", "2: −2.00", "4: 1.00",
    ]  # fmt: skip
    assert opacities(root, "circle") == [0.19, 0.75, 0.38]
    assert opacities(root, "path") == [0.5, 0.5]
    roles = [e.attrib["class"] for e in root.iter() if e.tag.endswith("circle") and len(e)]
    assert roles == ["f-relation", "f-node", "f-relation"]


def test_carbon_goes_without_saying_unless_it_stands_alone():
    def texts(labels, pairs):
        root = ET.fromstring(picture(SQUARE, pairs, labels=labels))
        return [text.text for text in root.findall(".//{*}text")]

    assert texts(["C", "O", "C", "N+"], PAIRS) == ["O", "N+"]
    assert texts(["C", "O", "C", "C"], [[0, 1]]) == ["O", "C", "C"]


def test_a_double_bond_is_two_lines_beside_each_other():
    root = ET.fromstring(picture(SQUARE[:2], [[0, 1]], orders=[2]))
    (bonds,) = [e.attrib["d"] for e in root.findall(".//{*}path")]
    lines = [[tuple(map(float, end.split())) for end in m.split("L")] for m in bonds.split("M")[1:]]
    assert len(lines) == 2
    assert math.isclose(abs(lines[0][0][1] - lines[1][0][1]), 3.0)
    assert lines[0][0][0] == lines[1][0][0]


def test_everything_lies_in_the_picture_with_its_shape_kept():
    wide = [[x * 100, y] for x, y in SQUARE]
    solid = [[*place, z] for place, z in zip(SQUARE, (0, 1, 2, 3), strict=True)]
    for places in (SQUARE, wide, solid, [[3.0, 3.0]] * 4):
        root = ET.fromstring(picture(places, PAIRS, nodes=[1.0] * 4))
        for circle in root.findall(".//{*}circle"):
            assert 0 < float(circle.attrib["cx"]) < 300
            assert 0 < float(circle.attrib["cy"]) < 220


def test_y_points_up():
    root = drawn(nodes=[1.0, 1.0, 1.0, 1.0])
    ys = [float(c.attrib["cy"]) for c in root.findall(".//{*}circle") if len(c)]
    assert ys[0] > ys[3]


def test_what_the_prediction_is_for_has_a_ring():
    rings = [c for c in drawn(marked=[2]).findall(".//{*}circle") if "stroke" in c.attrib]
    assert len(rings) == 1


def test_it_speaks_when_it_stands_alone_and_is_silent_in_the_page():
    assert drawn().attrib["aria-hidden"] == "true"
    alone = drawn(told="What added to <b> = 1").attrib
    assert alone["role"] == "img"
    assert alone["aria-label"] == "What added to <b> = 1"


def test_nothing_at_all():
    ET.fromstring(picture([], []))
    assert tips(drawn(nodes=[0.0] * 4, relations=[0.0] * 3)) == []


def test_many_nodes_stay_cheap():
    places = [[math.cos(i), math.sin(i)] for i in range(1500)]
    pairs = [[i, (i + 1) % 1500] for i in range(400)]
    text = picture(places, pairs, nodes=[1.0] * 1500, relations=[1.0] * 400)
    assert len(text) < 400_000
    assert "<title>" not in text
