import json
import shutil

import numpy as np
import pytest

from argnp.cli.main import main
from argnp.data.folder import save_dataset
from argnp.errors import UserError
from argnp.model.load import load_model
from argnp.workflows.evaluate import EvaluateCall, evaluate_command


def test_the_test_split_gives_the_run_s_own_numbers(small_run):
    found = evaluate_command(EvaluateCall(small_run.folder, str(small_run.data), split="test"))
    assert found.values["metrics"] == pytest.approx(small_run.fitted.test, rel=1e-6)
    assert found.values["rows"] == len(small_run.opened.dataset.splits["test"])
    assert found.values["split"] == "test"


def test_the_whole_file_by_default(small_run):
    found = evaluate_command(EvaluateCall(small_run.folder, str(small_run.data)))
    assert (found.values["rows"], found.values["rejected"]) == (40, 0)
    predicted = load_model(small_run.folder).predict(small_run.opened.dataset)
    error = np.abs(predicted - small_run.opened.dataset.source.y).mean()
    assert found.values["metrics"]["mae"] == pytest.approx(error)
    assert "mae *" in found.text


def test_bad_rows_are_counted_and_blanks_left_out(small_run, tmp_path):
    file = tmp_path / "new.csv"
    file.write_text("structure,logS,mass\nCCO,-1,2\nC(,1,1\nCC,,\nCCC,oops,1\nCN,-2,\n")
    found = evaluate_command(EvaluateCall(small_run.folder, str(file)))
    assert (found.values["rows"], found.values["rejected"]) == (2, 2)
    assert "the first: row 2, column structure" in found.text


def test_targets_under_other_names(small_run, tmp_path):
    file = tmp_path / "new.csv"
    file.write_text("structure,solubility,weight\nCCO,-1,2\nCC,-2,3\n")
    with pytest.raises(UserError, match="no column 'logS'"):
        evaluate_command(EvaluateCall(small_run.folder, str(file)))
    call = EvaluateCall(small_run.folder, str(file), targets=["solubility", "weight"])
    assert evaluate_command(call).values["rows"] == 2


def test_a_splits_column_needs_no_run_folder(small_run, tmp_path, capsys):
    file = tmp_path / "new.csv"
    rows = [
        f"{'C' * (i + 1)},{i},{i},{part}" for i, part in enumerate(["train", "val", "test"] * 2)
    ]
    file.write_text("\n".join(["structure,logS,mass,part", *rows]) + "\n")
    model = shutil.copytree(small_run.folder / "model", tmp_path / "moved")
    assert main(["evaluate", str(model), str(file), "--split", "test"]) == 2
    assert "--splits-column" in capsys.readouterr().err
    arguments = ["--split", "test", "--splits-column", "part", "--json", "--ensemble"]
    assert main(["evaluate", str(model), str(file), *arguments]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["rows"], told["networks"]) == (2, 2)


@pytest.mark.parametrize("split", [None, "val"])
def test_a_folder_of_graphs(small_run, tmp_path, split):
    save_dataset(small_run.opened.dataset, tmp_path / "graphs")
    model = small_run.folder / "model"
    found = evaluate_command(EvaluateCall(model, str(tmp_path / "graphs"), split=split))
    if split is None:
        assert found.values["rows"] == 40
    else:
        assert found.values["metrics"] == pytest.approx(small_run.fitted.chosen[0].metrics)
