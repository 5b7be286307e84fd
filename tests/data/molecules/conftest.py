"""Files to read molecules from, and a cache of the test's own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from argnp.data.molecules.cache import convert_cached
from argnp.data.molecules.converted import Converted
from argnp.data.molecules.featurizer import featurizer_called
from argnp.data.molecules.table import open_table

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rdkit", reason="molecules need the chem extra")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """``write("a.csv", "x,y", "1,2")``: a file of these lines."""

    def write_lines(name: str, *lines: str) -> Path:
        path = tmp_path / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="")
        return path

    return write_lines


@dataclass(frozen=True)
class Zinc12k:
    """The benchmark's molecules, converted once for all tests."""

    converted: Converted
    splits: list[str]
    cache: Path


@pytest.fixture(scope="session")
def zinc12k(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Zinc12k:
    cache = tmp_path_factory.mktemp("zinc12k")
    columns = open_table(shared_data / "zinc12k.csv.gz").read(["smiles", "split"]).columns
    converted = convert_cached(columns["smiles"], featurizer_called("zinc"), folder=cache)
    return Zinc12k(converted, columns["split"], cache)
