import errno
from pathlib import Path
from typing import Any

import pytest
from tests.small import SEARCHING, Recorder, small_search

from argnp.arch import Architecture, Space
from argnp.arch.codec import from_dict
from argnp.arch.graph import Place
from argnp.differentiate.decide import decide
from argnp.differentiate.strategies import STRATEGIES
from argnp.errors import UserError
from argnp.proliferate.rounds import next_supernet, plan_rounds
from argnp.runs.folder import RunFolder


def grow(
    size: int,
    space: Space | None = None,
    folder: RunFolder | None = None,
    number: int = 0,
    proliferate: bool = True,
    **options: Any,
) -> dict[int, Architecture]:
    search = small_search(space, **options)
    rounds = plan_rounds(size, search.space, search.settings, proliferate=proliferate)
    return search.grow(rounds, number, folder)


def assert_sound(found: dict[int, Architecture], sizes: list[int]) -> None:
    assert list(found) == sizes
    for size, architecture in found.items():
        assert architecture.size == size
        assert architecture.decided
        assert all(link.operation != "zero" for _, link in architecture.places())
        for vertex in architecture.vertices:
            for name in architecture.space.names:
                sources = [link.source for link in vertex.links(name)]
                assert len(sources) == len(set(sources)) == 2


@pytest.mark.parametrize("proliferate", [True, False], ids=["grown", "at once"])
@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_every_strategy(strategy: str, proliferate: bool) -> None:
    found = grow(4, strategy=strategy, proliferate=proliferate, epochs=2)
    assert_sound(found, [2, 4] if proliferate else [4])


@pytest.mark.parametrize("strategy", ["random", "sgas", "darts"])
def test_the_decisions_that_are_told_make_the_architecture(strategy: str) -> None:
    recorder = Recorder()
    grow(4, observer=recorder, strategy=strategy, epochs=2)
    for start, end in zip(recorder.of("round-start"), recorder.of("round-end"), strict=True):
        made = from_dict(start["architecture"])
        open_links = len(made.mixtures())
        told = [event for event in recorder.of("decision") if event["round"] == start["round"]]
        for event in told:
            links = made.vertex(event["vertex"]).links(event["space"])
            index = [link.source for link in links].index(event["source"])
            made = decide(made, Place(event["space"], event["vertex"], index), event["operation"])
        assert made == from_dict(end["architecture"])
        assert 0 < len(told) < open_links


@pytest.mark.parametrize("strategy", ["random", "sgas", "darts2"])
@pytest.mark.parametrize("relations", ["directed", "undirected", "off"])
@pytest.mark.parametrize("cells", [1, 2])
def test_relations_and_cells(relations: str, cells: int, strategy: str) -> None:
    space = Space(cells=cells, relations=relations != "off")
    found = grow(4 * cells, space, relations=relations, strategy=strategy, epochs=1)
    assert_sound(found, [2 * cells, 4 * cells])


@pytest.mark.parametrize("start", [1, 2, 4])
@pytest.mark.parametrize("size", [1, 3, 5])
def test_any_size_from_any_start(size: int, start: int) -> None:
    sizes = {1: [1, 2, 4, 5], 2: [2, 4, 5], 4: [4, 5]}[start]
    reached = [n for n in sizes if n < size] + [size]
    assert_sound(grow(size, Space(start_size=start), epochs=1), reached)


def test_every_round_starts_from_the_one_before() -> None:
    recorder = Recorder()
    found = grow(5, observer=recorder, epochs=2)
    starts, ends = recorder.of("round-start"), recorder.of("round-end")
    assert [event["size"] for event in starts] == [event["size"] for event in ends] == [2, 4, 5]
    assert [from_dict(event["architecture"]) for event in ends] == list(found.values())
    assert from_dict(starts[1]["architecture"]) == next_supernet(found[2], 4, Space())
    assert from_dict(starts[2]["architecture"]) == next_supernet(found[4], 5, Space())
    assert all(event["parameters"] > 0 and event["epochs"] for event in starts)
    assert all(event["seconds"] > 0 and event["peak_bytes"] > 0 for event in ends)


def test_a_strategy_for_every_round() -> None:
    recorder = Recorder()
    assert_sound(grow(4, observer=recorder, strategy="random,sgas", epochs=2), [2, 4])
    assert [event["strategy"] for event in recorder.of("round-start")] == ["random", "sgas"]
    assert [event["parameters"] > 0 for event in recorder.of("round-start")] == [False, True]
    assert {event["round"] for event in recorder.of("search-epoch")} == {1}


@pytest.mark.parametrize("strategy", ["random", "sgas"])
def test_seeds_and_numbers_of_searches_tell_searches_apart(strategy: str) -> None:
    options: dict[str, Any] = {"strategy": strategy, "epochs": 2}
    first = grow(4, **options)
    assert grow(4, **options) == first
    assert grow(4, seed=1, **options) != first
    assert grow(4, number=1, **options) != first


@pytest.mark.parametrize("strategy", ["random", "sgas"])
def test_rounds_that_are_done_are_read(tmp_path: Path, strategy: str) -> None:
    folder = RunFolder(tmp_path)
    first = grow(4, folder=folder, strategy=strategy)
    recorder = Recorder()
    assert grow(4, folder=folder, observer=recorder, strategy=strategy) == first
    assert recorder.events == []
    folder.architecture(0, 1).unlink()
    assert grow(4, folder=folder, observer=recorder, strategy=strategy) == first
    assert {event["round"] for _, event in recorder.events} == {1}


def test_a_damaged_architecture_is_named(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    grow(2, folder=folder, strategy="random")
    folder.architecture(0, 0).write_bytes(b'{"torn')
    with pytest.raises(UserError, match=r"architecture\.json: .*; delete the file to search this"):
        grow(2, folder=folder, strategy="random")


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, *args: Any, **options: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(UserError, match="the disk is full"):
        grow(2, folder=RunFolder(tmp_path))


def test_the_pace_may_end_a_round_and_never_shortens_what_is_planned() -> None:
    class Brisk:
        asked: list[tuple[dict[str, int], int]] = []  # noqa: RUF012

        def skips(self, labels: dict[str, int]) -> bool:
            pytest.fail("a search cannot be left out")

        def ends(self, labels: dict[str, int], done: int, seconds: float) -> bool:
            self.asked.append((dict(labels), done))
            return labels["round"] == 1

    recorder = Recorder()
    grow(4, observer=recorder, pace=Brisk())
    planned = SEARCHING.epochs
    assert planned == 4
    assert Brisk.asked == [
        *(({"search": 0, "round": 0}, done) for done in (1, 2, 3)),
        ({"search": 0, "round": 1}, 1),
    ]
    assert [event["epochs"] for event in recorder.of("round-start")] == [planned, planned]
    assert len(recorder.of("search-epoch")) == planned + 1
