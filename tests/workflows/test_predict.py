import csv
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from argnp.cli.main import main
from argnp.data.folder import save_dataset
from argnp.errors import UserError
from argnp.model.load import load_model
from argnp.model.predicted import predict_source
from argnp.workflows.package import package
from argnp.workflows.predict import PredictCall, predict_command


@pytest.fixture
def new_rows(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("id,structure,logS\na,CCO,1\nb,C(,2\nc,,\nd,c1ccccc1,oops\n")
    return path


@pytest.fixture
def package_one(small_run, tmp_path):
    """Packages the first network alone."""

    def make():
        fitted = replace(small_run.fitted, chosen=small_run.fitted.chosen[:1])
        return package(small_run.context, fitted, small_run.opened, tmp_path / "one")

    return make


def _read(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_row_gets_a_row(small_run, new_rows, tmp_path):
    output = tmp_path / "out.csv"
    outcome = predict_command(
        PredictCall(small_run.folder, str(new_rows), output, keep=["logS", "id"], quiet=True)
    )
    assert (outcome.values["rows"], outcome.values["bad"]) == (4, 2)
    rows = _read(output)
    assert list(rows[0]) == ["structure", "logS_given", "id", "logS", "mass", "reason"]
    assert [row["id"] for row in rows] == list("abcd")
    assert [row["logS_given"] for row in rows] == ["1", "2", "", "oops"]
    assert [bool(row["reason"]) for row in rows] == [False, True, True, False]
    assert [bool(row["logS"]) for row in rows] == [True, False, False, True]
    expected = load_model(small_run.folder).predict(["CCO", "c1ccccc1"])
    found = [[row["logS"], row["mass"]] for row in (rows[0], rows[3])]
    np.testing.assert_allclose(np.array(found, np.float32), expected, rtol=1e-5)


def test_the_ensemble_has_spreads(small_run, new_rows, tmp_path):
    output = tmp_path / "out.csv"
    predict_command(
        PredictCall(small_run.folder / "model", str(new_rows), output, ensemble=True, quiet=True)
    )
    rows = _read(output)
    expected = load_model(small_run.folder).predict_rows(["CCO"], ensemble=True)
    assert float(rows[0]["logS"]) == pytest.approx(expected.values[0, 0], rel=1e-5)
    assert float(rows[0]["logS_spread"]) == pytest.approx(expected.spread[0, 0], rel=1e-4)
    assert float(rows[0]["mass_spread"]) > 0
    assert rows[1]["logS_spread"] == ""


def test_the_command_line(small_run, new_rows, tmp_path, capsys):
    output = tmp_path / "out.csv.gz"
    moved = shutil.copytree(small_run.folder / "model", tmp_path / "moved")
    code = main(["predict", str(moved), str(new_rows), "-o", str(output), "--json", "--quiet"])
    assert code == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["rows"], told["bad"], told["output"]) == (4, 2, str(output))
    assert output.read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.csv", "-o", "out.csv"], "nowhere.csv: no such file"),
        (["{data}", "-o", "out.npz"], "the ending says"),
        (["{data}", "-o", "out.csv", "--keep", "mas"], "did you mean 'mass'?"),
        (["nonsense", "-o", "out.csv"], "neither a table"),
        (["{data}", "-o", "{data}"], "is the data itself"),
    ],
)
def test_mistakes_are_one_line(small_run, tmp_path, monkeypatch, capsys, arguments, told):
    monkeypatch.chdir(tmp_path)
    filled = [argument.format(data=small_run.data) for argument in arguments]
    assert main(["predict", str(small_run.folder), *filled, "--quiet"]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_interrupted_it_leaves_no_file(small_run, new_rows, tmp_path, monkeypatch):
    output = tmp_path / "out.csv"
    output.write_text("old")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("argnp.workflows.predict.to_columns", interrupted)
    with pytest.raises(KeyboardInterrupt):
        predict_command(PredictCall(small_run.folder, str(new_rows), output, quiet=True))
    assert output.read_text() == "old"
    assert {item.name for item in tmp_path.iterdir()} == {"new.csv", "out.csv"}


def test_blank_lines_of_a_single_column_keep_the_rows_aligned(small_run, tmp_path):
    (tmp_path / "new.csv").write_text("structure\nCCO\n\nc1ccccc1\n")
    output = tmp_path / "out.csv"
    predict_command(
        PredictCall(small_run.folder, str(tmp_path / "new.csv"), output, quiet=True, workers=0)
    )
    rows = _read(output)
    assert [row["structure"] for row in rows] == ["CCO", "", "c1ccccc1"]
    assert [bool(row["logS"]) for row in rows] == [True, False, True]
    assert rows[1]["reason"] == "blank: no molecule"


def test_rows_that_cannot_be_read_get_a_reason(small_run, tmp_path):
    (tmp_path / "new.csv").write_bytes(b"id,structure\na,CCO\nb\nc,C,C\nd,C\xe9\ne,CCN\n")
    output = tmp_path / "out.csv"
    outcome = predict_command(
        PredictCall(small_run.folder, str(tmp_path / "new.csv"), output, keep=["id"], quiet=True)
    )
    rows = _read(output)
    assert [row["id"] for row in rows] == list("abcde")
    assert [bool(row["logS"]) for row in rows] == [True, False, False, False, True]
    assert [row["reason"].split(";")[0] for row in rows] == [
        "",
        "1 cells for 2 columns, column structure is missing",
        "3 cells for 2 columns",
        "column structure: not UTF-8 text",
        "",
    ]
    assert outcome.values["bad"] == 3


def test_a_file_without_rows_is_refused(small_run, tmp_path):
    (tmp_path / "empty.csv").write_text("structure\n")
    call = PredictCall(small_run.folder, str(tmp_path / "empty.csv"), tmp_path / "o.csv")
    with pytest.raises(UserError, match="no rows below the header"):
        predict_command(call)
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("ending", ["csv", "npz", "npy"])
def test_a_folder_of_graphs(small_run, tmp_path, ending):
    save_dataset(small_run.opened.dataset, tmp_path / "graphs")
    output = tmp_path / f"out.{ending}"
    predict_command(PredictCall(small_run.folder, str(tmp_path / "graphs"), output, quiet=True))
    expected = load_model(small_run.folder).predict(small_run.opened.dataset)
    if ending == "npy":
        found = np.load(output)
    elif ending == "npz":
        with np.load(output) as arrays:
            found = arrays["prediction"]
            assert arrays["graph"].tolist() == list(range(40))
    else:
        rows = _read(output)
        assert list(rows[0]) == ["graph", "logS", "mass", "reason"]
        assert not any(row["reason"] for row in rows)
        found = np.array([[row["logS"], row["mass"]] for row in rows], np.float32)
    assert np.array_equal(found, expected)


def test_a_graph_without_an_answer_gets_a_reason(small_run, tmp_path, monkeypatch):
    save_dataset(small_run.opened.dataset, tmp_path / "graphs")

    def odd(*given, **options):
        for part in predict_source(*given, **options):
            part.values[3, 0] = np.inf
            yield part

    monkeypatch.setattr("argnp.workflows.predict.predict_source", odd)
    output = tmp_path / "out.csv"
    call = PredictCall(small_run.folder, str(tmp_path / "graphs"), output, quiet=True)
    assert predict_command(call).values["bad"] == 1
    rows = _read(output)
    assert [number for number, row in enumerate(rows) if row["reason"]] == [3]
    assert (rows[3]["logS"], rows[3]["mass"]) == ("", "")
    assert rows[3]["reason"] == "the network's answer is no finite number"


def test_kept_columns_never_hide_a_prediction(small_run, tmp_path):
    head = "structure,logS,logS_given,reason,mass_spread,logS_spread"
    (tmp_path / "new.csv").write_text(f"{head}\nCCO,1,2,3,4,5\nC(,1,2,3,4,5\n")
    output = tmp_path / "out.csv"
    call = PredictCall(
        small_run.folder,
        str(tmp_path / "new.csv"),
        output,
        keep=head.split(",")[1:],
        ensemble=True,
        quiet=True,
    )
    assert "see column reason" in predict_command(call).text
    rows = _read(output)
    given = ["logS_given_2", "logS_given", "reason_given", "mass_spread_given", "logS_spread_given"]
    made = ["logS", "mass", "logS_spread", "mass_spread", "reason"]
    assert list(rows[0]) == ["structure", *given, *made]
    assert [rows[0][name] for name in given] == list("12345")
    assert float(rows[0]["logS_spread"]) >= 0
    assert rows[1]["reason"] == "no valid SMILES"


def test_an_ensemble_that_is_none_is_refused_with_the_way_out(small_run, package_one, capsys):
    folder = package_one()
    assert main(["predict", str(folder), "x.csv", "-o", "y.csv", "--ensemble", "--quiet"]) == 2
    assert "fit with --ensemble 4" in capsys.readouterr().err


def test_objects_of_a_module(small_run, tmp_path, monkeypatch):
    (tmp_path / "my_graphs.py").write_text("def texts():\n    return ['CCO']\n")
    monkeypatch.chdir(tmp_path)
    call = PredictCall(small_run.folder, "my_graphs:texts", tmp_path / "o.csv", quiet=True)
    with pytest.raises(UserError, match="item 0 is of type str, not Data"):
        predict_command(call)
