import pytest

from argnp.data.benchmarks.named import load_named
from argnp.errors import UserError

pytest.importorskip("rdkit")
SMILES = ["CCO", "c1ccccc1", "CC(=O)O", "CCN", "CCCC", "O=C=O", "CC", "CO", "C1CC1", "CCCl"]


def test_esol_is_a_regression_in_its_own_units(tmp_path):
    folder = tmp_path / "esol" / "raw"
    folder.mkdir(parents=True)
    rows = [f'"name, {i}",a,b,c,d,e,f,g,{-i / 2},{s}' for i, s in enumerate(SMILES)]
    (folder / "delaney-processed.csv").write_text("\n".join(["head", *rows, ""]))
    data = load_named("moleculenet:ESOL", tmp_path)
    assert data.schema.task.name == "graph-regression"
    assert data.metric == "rmse"
    assert len(data.schema.node.sizes) == 9
    assert len(data.schema.edge.sizes) == 3
    assert data.source.batch(range(10)).target.flatten().tolist() == [-i / 2 for i in range(10)]


def test_tox21_is_multilabel_with_blanks(tmp_path):
    folder = tmp_path / "tox21" / "raw"
    folder.mkdir(parents=True)
    rows = [
        ",".join([*("" if (i + c) % 5 == 0 else str((i + c) % 2) for c in range(12)), "id", s])
        for i, s in enumerate(SMILES)
    ]
    (folder / "tox21.csv").write_text("\n".join(["head", *rows, ""]))
    data = load_named("moleculenet:tox21", tmp_path)
    assert data.schema.task.name == "graph-multilabel"
    assert data.schema.task.outputs == 12
    assert data.metric == "roc_auc"
    assert (data.source.batch(range(10)).weight == 0).any()


def test_missing_files_and_wrong_names(tmp_path):
    with pytest.raises(UserError, match=r"HIV.csv is missing.*amazonaws.com/datasets/HIV.csv"):
        load_named("moleculenet:HIV", tmp_path)
    with pytest.raises(UserError, match="choose esol, freesolv"):
        load_named("moleculenet:water", tmp_path)
