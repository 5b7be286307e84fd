"""`argnp export` on model folders."""

import json
import runpy

import pytest
import torch
from export_cases import FLOATS, WIDTHS, Case, every_operation

from argnp.cli.main import main
from argnp.model.load import load_model
from argnp.model.save import save_model
from argnp.ops.catalogue import _RELATION, register_relation_operation

CASE = Case(kind="classification", outputs=3, labels=("a", "b", "c"), node=FLOATS)


@pytest.fixture
def folder(tmp_path):
    """A model of two networks."""
    architecture = every_operation()
    networks = [CASE.network(architecture, torch.float32, seed=seed) for seed in range(2)]

    def save(*, ensemble: bool):
        return save_model(
            tmp_path / "model",
            networks,
            architecture=architecture,
            widths=WIDTHS,
            schema=CASE.schema,
            metric="accuracy",
            name="letters",
            ensemble=ensemble,
        )

    return save


@pytest.mark.parametrize("ensemble", [False, True])
def test_the_file_says_what_the_model_says(folder, ensemble, tmp_path, capsys):
    model, to = folder(ensemble=ensemble), tmp_path / "letters.py"
    assert main(["export", str(model), "--to", str(to), "--json"]) == 0
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert said == {"files": [str(to), str(to.with_suffix(".safetensors"))]}
    written = runpy.run_path(str(to))
    assert written["LABELS"] == CASE.labels
    assert ("Ensemble" in written) is ensemble
    graphs = CASE.graphs(dtype=torch.float32)
    given = {name: graphs.every[name] for name in ("x", "edge_index", "edge_attr", "batch")}
    with torch.no_grad():
        found = written["load"]()(**given, num_graphs=6).softmax(1)
    expected = torch.from_numpy(load_model(model).predict(graphs.batch))
    torch.testing.assert_close(found, expected, rtol=0, atol=2e-6)


def test_columns_of_a_regression_have_their_names(tmp_path):
    case = Case(labels=("height", "weight"))
    architecture = every_operation()
    model = save_model(
        tmp_path / "model",
        [case.network(architecture, torch.float32)],
        architecture=architecture,
        widths=WIDTHS,
        schema=case.schema,
        metric="mae",
        name="people",
        scaling=case.scaling,
    )
    assert main(["export", str(model), "--to", str(tmp_path / "people.py"), "--quiet"]) == 0
    written = runpy.run_path(str(tmp_path / "people.py"))
    assert written["LABELS"] == ("height", "weight")
    graphs = case.graphs(dtype=torch.float32)
    given = {name: graphs.every[name] for name in ("x", "edge_index", "edge_attr", "batch")}
    found = written["load"]()(**given, num_graphs=6).detach()
    expected = torch.from_numpy(load_model(model).predict(graphs.batch))
    torch.testing.assert_close(found, expected, rtol=0, atol=5e-6)


@pytest.mark.parametrize(
    ("to", "complaint"),
    [("model.h5", "not .h5"), ("model", "not none at all"), ("no/model.py", "make it first")],
)
def test_a_bad_name_is_told_before_the_model_is_read(to, complaint, tmp_path, capsys):
    assert main(["export", str(tmp_path / "absent"), "--to", str(tmp_path / to)]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


def test_an_operation_of_ones_own_is_named(tmp_path, monkeypatch, capsys):
    from argnp.arch import Architecture, Link, Space, Vertex

    monkeypatch.setattr("argnp.ops.catalogue._RELATION", dict(_RELATION))
    register_relation_operation("E_MINE", lambda V_s, V_t, undirected: V_s)
    space = Space(relation_operations=("E_MINE",))
    links = (Link(-1, "V_SUM"), Link(0, "skip")), (Link(-1, "E_MINE"), Link(0, "E_MINE"))
    architecture = Architecture((Vertex(*links),), space)
    model = save_model(
        tmp_path / "model",
        [CASE.network(architecture, torch.float32)],
        architecture=architecture,
        widths=WIDTHS,
        schema=CASE.schema,
        metric="accuracy",
        name="letters",
    )
    assert main(["export", str(model), "--to", str(tmp_path / "letters.onnx")]) == 2
    assert "E_MINE: an operation of your own" in capsys.readouterr().err
