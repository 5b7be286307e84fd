import random
from pathlib import Path

import pytest

from argnp.arch import Architecture, sample
from argnp.errors import UserError
from argnp.report.pick import pick


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two searches of sizes 2 and 4, and a model."""
    for search in range(2):
        for number, size in enumerate((2, 4)):
            put(tmp_path / f"search/{search}/round-{number}", made(search, size))
    put(tmp_path / "model", made(0, 2))
    return tmp_path


def made(search: int, size: int) -> Architecture:
    return sample(size, random.Random(10 * search + size))


def put(folder: Path, architecture: Architecture) -> None:
    folder.mkdir(parents=True)
    (folder / "architecture.json").write_text(architecture.to_json())


def test_what_was_chosen_or_asked_for(run: Path) -> None:
    assert pick(run, search=None, size=None) == made(0, 2)
    assert pick(run / "model", search=None, size=None) == made(0, 2)
    assert pick(run / "model" / "architecture.json", search=None, size=None) == made(0, 2)
    assert pick(run, search=None, size=4) == made(0, 4)
    assert pick(run, search=1, size=None) == made(1, 4)
    assert pick(run, search=1, size=2) == made(1, 2)


@pytest.mark.parametrize(
    ("search", "size", "told"),
    [
        (5, None, "no architecture of search 5 there"),
        (None, 16, "no size 16; there are 2, 4"),
        (1, 3, "no size 3; there are 2, 4"),
    ],
)
def test_what_is_not_there(run: Path, search: int | None, size: int | None, told: str) -> None:
    with pytest.raises(UserError, match=told):
        pick(run, search=search, size=size)


def test_nothing_at_all(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="neither a file nor a folder"):
        pick(tmp_path / "nowhere", search=None, size=None)
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(UserError, match=r"x.json: architecture: 'schema' is missing"):
        pick(tmp_path / "x.json", search=None, size=None)
