from pathlib import Path

import numpy as np
import pytest

from argnp.data.molecules import cache
from argnp.data.molecules.cache import convert_cached
from argnp.data.molecules.converted import Converted
from argnp.data.molecules.featurizer import BY_NAME

RICH, ZINC = BY_NAME["rich"], BY_NAME["zinc"]
SMILES = ["CCO", "bad", "c1ccccc1"]


@pytest.fixture
def conversions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry per conversion that was really made."""
    made: list[int] = []
    real = cache.convert

    def counted(smiles: list[str], *args: object, **options: object) -> Converted:
        made.append(len(smiles))
        return real(smiles, *args, **options)

    monkeypatch.setattr(cache, "convert", counted)
    return made


def test_the_same_content_is_converted_once(tmp_path: Path, conversions: list[int]) -> None:
    first = convert_cached(SMILES, RICH, folder=tmp_path)
    again = convert_cached(list(SMILES), RICH, folder=tmp_path)
    assert len(conversions) == 1
    assert first.rejected == again.rejected
    np.testing.assert_array_equal(first.atom_codes, again.atom_codes)
    np.testing.assert_array_equal(first.keys, again.keys)


@pytest.mark.parametrize(
    ("smiles", "featurizer", "scaffolds"),
    [
        (["CCO", "bad"], RICH, False),
        (["CCO", "bad", "c1ccccc1", ""], RICH, False),
        (SMILES, ZINC, False),
        (SMILES, RICH, True),
    ],
)
def test_anything_else_is_converted_anew(
    tmp_path: Path, conversions: list[int], smiles: list[str], featurizer, scaffolds: bool
) -> None:
    convert_cached(SMILES, RICH, folder=tmp_path)
    convert_cached(smiles, featurizer, scaffolds=scaffolds, folder=tmp_path)
    assert len(conversions) == 2


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04", None])
def test_a_damaged_file_is_made_again(
    tmp_path: Path, conversions: list[int], damage: bytes | None
) -> None:
    whole = convert_cached(SMILES, RICH, folder=tmp_path)
    (file,) = tmp_path.rglob("*.npz")
    file.write_bytes(file.read_bytes()[:-200] if damage is None else damage)
    again = convert_cached(SMILES, RICH, folder=tmp_path)
    assert len(conversions) == 2
    np.testing.assert_array_equal(whole.atom_codes, again.atom_codes)


def test_a_conversion_cut_short_is_not_kept(tmp_path: Path) -> None:
    assert len(convert_cached(SMILES, RICH, folder=tmp_path, stop_at_first=True).places) == 1
    assert len(convert_cached(SMILES, RICH, folder=tmp_path).places) == 2
    assert len(convert_cached(SMILES, RICH, folder=tmp_path, stop_at_first=True).places) == 1


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert len(convert_cached(SMILES, RICH, folder=blocked).places) == 2


def test_the_default_folder_is_the_users_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    convert_cached(SMILES, RICH)
    assert len(list((tmp_path / "cache" / "argnp").rglob("*.npz"))) == 1
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache.default_folder() == tmp_path / ".cache" / "argnp"
