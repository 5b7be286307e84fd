import random
from itertools import combinations

import pytest

from argnp.arch import Architecture, Space, sample, undecided
from argnp.report.geometry import Geometry
from argnp.report.layout import PAIR_HEIGHT, PILL_FONT, TAG_FONT, Box
from argnp.report.typeset import text_width
from argnp.report.wiring import wire


def boxes(architecture: Architecture) -> list[Box]:
    geometry = Geometry(wire(architecture))
    return [geometry.pill_box(pill) for pill in geometry.frame.pills] + [
        geometry.pair_box(row.centre) for row in geometry.frame.rows
    ]


def cases(size: int) -> list[Architecture]:
    rng = random.Random(100 + size)
    return [
        *(sample(size, rng) for _ in range(4)),
        sample(size // 2, rng).divide(),
        sample(size, rng, Space(cells=3)),
        sample(size, rng, Space(relations=False)),
    ]


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_nothing_that_bears_a_label_overlaps(size: int) -> None:
    for architecture in cases(size):
        for one, other in combinations(boxes(architecture), 2):
            assert not one.overlaps(other)


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_everything_lies_within_the_picture(size: int) -> None:
    for architecture in cases(size):
        geometry = Geometry(wire(architecture))
        for box in boxes(architecture):
            assert box.x > 0
            assert box.x + box.width < geometry.width
            assert box.y > 0
            assert box.y + box.height < geometry.frame.height


def test_labels_fit_their_pills_and_tags() -> None:
    long = Space(node_operations=("V_ATTENTION_POOL_WIDE", "V_MEAN"))
    for architecture in (sample(16, random.Random(0)), sample(12, random.Random(0), long)):
        geometry = Geometry(wire(architecture))
        for pill in geometry.frame.pills:
            tag = geometry.tag_box(pill)
            room = geometry.pill_box(pill).width - tag.width
            assert text_width(pill.label, PILL_FONT) < room
            assert text_width(pill.tag, TAG_FONT) < tag.width


def test_rows_grow_with_their_links() -> None:
    frame = wire(undecided(4)).skeleton
    heights = [2 * (frame.row(n).bottom - frame.row(n).centre) for n in range(5)]
    assert heights[0] == PAIR_HEIGHT
    assert heights[1] < heights[2] < heights[3] < heights[4]


def test_overlap_is_told_from_touching() -> None:
    assert Box(0, 0, 10, 10).overlaps(Box(9, 9, 5, 5))
    assert not Box(0, 0, 10, 10).overlaps(Box(10, 0, 5, 5))
