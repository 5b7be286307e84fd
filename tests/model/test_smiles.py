import numpy as np
import pytest

from argnp.data.molecules.load import load_molecules
from argnp.data.molecules.table import open_table
from argnp.data.schema import Encoding
from argnp.errors import UserError
from argnp.model.load import load_model
from argnp.model.predicted import join
from argnp.model.smiles import predict_table, smiles_column

SMILES = ["CCO", "c1ccccc1", "CC(=O)O", "CCN", "CCCl", "C1CC1", "OCC", "CC", "C=C", "C#N"]


@pytest.fixture
def molecules(tmp_path):
    pytest.importorskip("rdkit", reason="molecules need the chem extra")
    file = tmp_path / "train.csv"
    rows = [f"{smiles},{i * 1.5},{i * 0.25}" for i, smiles in enumerate(SMILES)]
    file.write_text("\n".join(["structure,a,b", *rows]) + "\n")
    return load_molecules(file, targets=["a", "b"], encoding=Encoding("rwse", 2), cache=tmp_path)


@pytest.fixture
def model(molecules, package, tmp_path):
    return load_model(
        package(molecules.dataset, tmp_path / "m", seeds=2, molecules=molecules).folder
    )


def test_smiles_are_read_as_in_training(model, molecules):
    expected = model.predict(molecules.dataset)
    assert expected.shape == (10, 2)
    for given in (SMILES, tuple(SMILES), np.array(SMILES)):
        assert np.array_equal(model.predict(given), expected)


def test_bad_smiles_keep_their_row(model):
    found = model.predict_rows(["CCO", "", "C(", "CC"], ensemble=True)
    assert np.isnan(found.values).all(1).tolist() == [False, True, True, False]
    assert np.isnan(found.spread).all(1).tolist() == [False, True, True, False]
    assert set(found.reasons) == {1, 2}
    assert found.reasons[1] == "blank: no molecule"
    np.testing.assert_allclose(
        found.values[[0, 3]], model.predict(["CCO", "CC"], ensemble=True), rtol=0, atol=1e-6
    )


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan])
def test_missing_smiles_keep_their_row(model, missing):
    for given in (["CCO", missing, "CC"], np.array(["CCO", missing, "CC"], dtype=object)):
        found = model.predict_rows(given)
        assert np.isnan(found.values).all(1).tolist() == [False, True, False]
        assert found.reasons == {1: "blank: no molecule"}
    assert np.isnan(model.predict([missing])).all()


def test_columns_of_pandas_may_have_gaps(model):
    pandas = pytest.importorskip("pandas")
    for kind in ("object", "string"):
        column = pandas.Series(["CCO", None, "CC"], dtype=kind)
        assert set(model.predict_rows(column).reasons) == {1}


def test_nothing_but_bad_smiles(model):
    assert np.isnan(model.predict(["C(", "x"])).all()


def test_atoms_never_seen_are_predicted_all_the_same(model):
    assert np.isfinite(model.predict(["[U]", "[Og]"])).all()


def test_an_answer_that_is_no_number_is_said_to_be_none(model):
    model.networks[0].head.out.bias.data[0] = np.nan
    found = model.predict_rows(["CCO"])
    assert np.isnan(found.values).all()
    assert "no finite number" in found.reasons[0]


@pytest.mark.parametrize("workers", [0, 2])
def test_a_table_is_read_in_chunks_of_any_number(model, tmp_path, monkeypatch, workers):
    """In this process or in others, the rows are the same, in order."""
    monkeypatch.setattr("argnp.model.smiles.CHUNK_ROWS", 7)
    monkeypatch.setattr("argnp.data.molecules.convert._WORTH_A_PROCESS", 10)
    texts = [SMILES[i % 10] if i % 6 else "bad" for i in range(50)]
    file = tmp_path / "new.csv"
    file.write_text("\n".join(["id,structure", *(f"{i},{t}" for i, t in enumerate(texts))]))
    table = open_table(file)
    parts = list(predict_table(model, table, "structure", keep=["id"], workers=workers))
    assert [len(chunk.rows) for chunk, _ in parts] == [7] * 7 + [1]
    assert [cell for chunk, _ in parts for cell in chunk.columns["id"]] == list(map(str, range(50)))
    found = join([part for _, part in parts], 2)
    assert sorted(found.reasons) == list(range(0, 50, 6))
    np.testing.assert_allclose(found.values, model.predict(texts), rtol=0, atol=1e-5)
    assert np.array_equal(found.values, model.predict(file), equal_nan=True)


def test_the_column_is_told_usual_or_found(model, tmp_path):
    def table(head):
        file = tmp_path / "new.csv"
        file.write_text(f"{head}\nCCO,CCN,1\n")
        return open_table(file)

    assert smiles_column(model, table("x,structure,y")) == "structure"
    assert smiles_column(model, table("x,other,y")) == "x"
    assert smiles_column(model, table("x,other,y"), "other") == "other"
    with pytest.raises(UserError, match="no column 'strukture'"):
        smiles_column(model, table("x,structure,y"), "strukture")


def test_a_model_of_other_graphs_takes_no_smiles(packaged):
    with pytest.raises(UserError, match="was not trained on molecules"):
        load_model(packaged.folder).predict(["CCO"])
