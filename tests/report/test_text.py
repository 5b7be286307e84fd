import random

import pytest
from rich.console import Console

from argnp.arch import NODE_OPERATIONS, Space, sample, undecided
from argnp.report.text import show


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_one_line_per_vertex_within_the_terminal(size: int) -> None:
    architecture = sample(size, random.Random(size))
    lines = show(architecture).splitlines()
    rows = lines[3:-2]
    assert len(rows) == size
    assert max(map(len, lines)) <= 80
    for number, (row, vertex) in enumerate(zip(rows, architecture.vertices, strict=True), start=1):
        assert row.split()[0] == str(number)
        for link in (*vertex.node, *vertex.relation):
            assert f"{link.operation} {link.source if link.source > 0 else 'in'}" in row


def test_many_open_links_go_on_more_lines() -> None:
    text = show(undecided(8))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("?") == len(undecided(8).mixtures())
    assert "88 links undecided" in text


def test_colour_is_markup_for_rich_and_nothing_else() -> None:
    space = Space(node_operations=(*NODE_OPERATIONS, "V_[red]"))
    for seed in range(5):
        architecture = sample(4, random.Random(seed), space)
        console = Console(width=100, color_system=None)
        with console.capture() as capture:
            console.print(show(architecture, markup=True), end="", highlight=False)
        assert capture.get() == show(architecture)


def test_stacked_cells_tell_their_inputs_apart() -> None:
    text = show(undecided(1, Space(cells=4, relations=False)))
    assert "? in0 · ? in1" in text
    assert "4 cells, nodes only" in text
    assert text.endswith("\none of 4 equal cells; in0 and in1 come from the two before\n")
    assert "relation" not in text
