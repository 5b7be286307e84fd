import pytest
import torch

from argnp.data.benchmarks.named import load_named
from argnp.data.molecules.load import load_molecules
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


RINGS = ["c1ccccc1", "C1CC1", "C1CCNCC1", "c1ccncc1", "c1ccc2ccccc2c1", "C1CCCC1", "c1ccoc1"]


def write_esol(root):
    molecules = [f"{'C' * n}{ring}" for n in range(6) for ring in RINGS] + SMILES
    folder = root / "esol" / "raw"
    folder.mkdir(parents=True)
    rows = [f"x,a,b,c,d,e,f,g,{-i / 2},{s}" for i, s in enumerate(molecules)]
    (folder / "delaney-processed.csv").write_text("\n".join(["head", *rows, ""]))
    table = root / "table.csv"
    table.write_text(
        "\n".join(["y,smiles", *(f"{-i / 2},{s}" for i, s in enumerate(molecules)), ""])
    )
    return table


@pytest.mark.parametrize("seed", [0, 1])
def test_scaffolds_are_split_as_those_of_a_table(tmp_path, seed):
    table = write_esol(tmp_path)
    options = {"split": "scaffold", "split_sizes": (0.6, 0.2, 0.2), "seed": seed}
    data = load_named("moleculenet:ESOL", tmp_path, cache=tmp_path / "cache", **options)
    same = load_molecules(table, targets=["y"], cache=tmp_path / "cache", **options).dataset
    for split in ("train", "val", "test"):
        assert data.splits[split].tolist() == same.splits[split].tolist()
    assert f"scaffold split, seed {seed}" in data.notes


def test_other_splits_are_refused_and_processed_files_without_smiles(tmp_path):
    write_esol(tmp_path)
    with pytest.raises(UserError, match=r"--split column: moleculenet:ESOL has random, strat"):
        load_named("moleculenet:ESOL", tmp_path, split="column")
    file = tmp_path / "esol" / "processed" / "data.pt"
    content, *rest = torch.load(file, weights_only=False)
    del content["smiles"]
    torch.save((content, *rest), file)
    with pytest.raises(UserError, match=r"processed holds no SMILES.*remove that folder"):
        load_named("moleculenet:ESOL", tmp_path, split="scaffold")


def test_missing_files_and_wrong_names(tmp_path):
    with pytest.raises(UserError, match=r"HIV.csv is missing.*amazonaws.com/datasets/HIV.csv"):
        load_named("moleculenet:HIV", tmp_path)
    with pytest.raises(UserError, match="choose esol, freesolv"):
        load_named("moleculenet:water", tmp_path)
