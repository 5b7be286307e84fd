"""Whatever a file holds, reading it ends in a dataset or in one line for the user."""

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from argnp.data.molecules.load import MoleculeData, load_molecules
from argnp.errors import UserError

SMILES = ("C", "CCO", "c1ccccc1", "[Na+].[Cl-]", "C[N+](C)(C)C", "bad", "", "C1", "*", "CC |", "'")
NUMBERS = ("1", "0", "-2.5", "1e300", "nan", "", "n/a", "3,5", "TRUE", "１", "1 ")
FUZZ = settings(
    deadline=None,
    max_examples=120,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def result_or_line(path: Path, **options: object) -> MoleculeData | None:
    try:
        data = load_molecules(path, **({"targets": ["y"], "workers": 1} | options))
    except UserError as error:
        line = str(error)
    else:
        assert len(data.dataset.source) == len(data.smiles) == len(data.rows)
        return data
    assert line
    assert "\n" not in line
    return None


@FUZZ
@given(data=st.binary(max_size=300), packed=st.booleans())
def test_random_bytes(tmp_path: Path, data: bytes, packed: bool) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(gzip.compress(data) if packed else data)
    assert result_or_line(path) is None


@FUZZ
@given(text=st.text(alphabet='smiley,"\n\r\t;C1.0()é\0', max_size=120))
def test_odd_quoting(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(("smiles,y\n" + text).encode())
    result_or_line(path)


@FUZZ
@given(
    rows=st.lists(st.lists(st.sampled_from(SMILES + NUMBERS), max_size=4), max_size=12),
    split=st.sampled_from(["random", "scaffold", "stratified"]),
    on_invalid=st.sampled_from(["skip", "error"]),
)
def test_ragged_rows(tmp_path: Path, rows: list[list[str]], split: str, on_invalid: str) -> None:
    path = tmp_path / "m.csv"
    path.write_text("\n".join(["smiles,y", *map(",".join, rows)]), encoding="utf-8")
    result_or_line(path, split=split, on_invalid=on_invalid)


@FUZZ
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(SMILES), st.sampled_from(NUMBERS), st.sampled_from(NUMBERS)),
        max_size=40,
    ),
    featurizer=st.sampled_from(["rich", "zinc"]),
    targets=st.sampled_from([["y"], ["y", "z"], ["z"], ["smiles"]]),
    task=st.sampled_from([None, "graph-regression", "graph-classification", "graph-multilabel"]),
)
def test_odd_cells(
    tmp_path: Path, rows: list[tuple[str, ...]], featurizer: str, targets: list[str], task
) -> None:
    path = tmp_path / "m.tsv"
    lines = ["smiles\ty\tz", *("\t".join(row) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    result_or_line(path, featurizer=featurizer, targets=targets, task=task, smiles_column="smiles")


@pytest.mark.parametrize("cut", range(0, 2000, 97))
def test_torn_parquet(tmp_path: Path, cut: int) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "m.parquet"
    table = {"smiles": ["C" * n for n in range(1, 40)], "y": [n / 2 for n in range(1, 40)]}
    parquet.write_table(pyarrow.table(table), path)
    whole = path.read_bytes()
    torn = whole[:cut] + whole[cut + 7 :]
    path.write_bytes(torn)
    result_or_line(path)
    path.write_bytes(whole)
    assert result_or_line(path) is not None
