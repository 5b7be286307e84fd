"""Every operation in every format, on batches of other sizes than the one that was traced.

One trace serves both formats, and one network holds all operations: the tools are slow. It is
there undirected, directed (where E_SUB has a sign) in stacked cells, and without relations.
"""

import json
import random
import sys
from dataclasses import replace

import pytest
import torch
from export_cases import CODES, LAP, NONE, SIZES, WIDTHS, Case, every_operation

from argnp.arch import Architecture, Space, Vertex, sample
from argnp.errors import UserError
from argnp.model.export import export
from argnp.model.export.module import Exported
from argnp.model.export.onnx_file import convert
from argnp.model.export.program import trace

FEW = Space(node_operations=("V_MAX", "skip"), relation_operations=("E_SUB", "skip"))

ERROR = 2e-6  # of float32, of the largest output

GRAPH = Case(relations="undirected", node=CODES, edge=CODES, encoding=LAP)
CASES = {
    "graph": (GRAPH, every_operation(), 1),
    "graph, off": (
        Case(kind="classification", edge=NONE, relations="off"),
        every_operation(relations=False),
        2,
    ),
    "node": (
        Case(level="node", kind="multilabel", edge=NONE),
        sample(2, random.Random(1), FEW),
        1,
    ),
    "edge": (Case(level="edge", kind="classification"), every_operation(cells=2), 1),
    "pairs": (Case(level="edge", pairs=True), sample(1, random.Random(3), FEW), 1),
}


@pytest.fixture(scope="module", params=CASES.values(), ids=CASES.keys())
def traced(request):
    """A case, its networks, what was written out of them, and the program traced from it."""
    case, architecture, members = request.param
    networks = [case.network(architecture, torch.float32, seed=s) for s in range(members)]
    exported = case.exported(architecture, *networks)
    return case, networks, exported, trace(exported)


def close(found, expected) -> None:
    largest = max([1.0, *expected.detach().abs().flatten().tolist()])
    torch.testing.assert_close(found, expected, rtol=0, atol=ERROR * largest)


def assert_agrees(run, case: Case, networks, exported: Exported) -> None:
    for seed, sizes in enumerate(SIZES):
        graphs = case.graphs(sizes, torch.float32, seed)
        found, expected = run(graphs.arguments(exported)), graphs.expected(*networks)
        if case.kind == "classification":
            found, expected = found.log_softmax(1), expected.log_softmax(1)
        close(found, expected)


def swapped(architecture: Architecture):
    """The architecture with another operation in one place, for all of both."""
    for number, vertex in enumerate(architecture.vertices):
        for space in architecture.space.names:
            links = {name: vertex.links(name) for name in ("node", "relation")}
            for place, link in enumerate(links[space]):
                for other in {*architecture.space.parametric(space)} - {link.operation}:
                    if link.operation == "skip":
                        continue
                    row = list(links[space])
                    row[place] = replace(link, operation=other)
                    changed = Vertex(**{**links, space: tuple(row)})
                    vertices = list(architecture.vertices)
                    vertices[number] = changed
                    yield Architecture(tuple(vertices), architecture.space)


@pytest.mark.parametrize("name", ["graph", "graph, off", "edge"])
def test_the_comparison_would_notice_any_other_operation(name):
    case, architecture, _ = CASES[name]
    network, graphs = case.network(architecture), case.graphs()
    expected = graphs.expected(network).detach()
    for other in swapped(architecture):
        changed = case.network(other)
        changed.load_state_dict(network.state_dict())
        assert (graphs.expected(changed) - expected).abs().max() > 5 * ERROR


def onnx_runner(path):
    """Arguments of the exported module to what onnxruntime makes of them."""
    session = pytest.importorskip("onnxruntime").InferenceSession(path)

    def run(arguments):
        given = {name: torch.as_tensor(value).numpy() for name, value in arguments.items()}
        return torch.from_numpy(session.run(None, given)[0])

    return run


def test_a_saved_program_takes_other_sizes(traced, tmp_path):
    case, networks, exported, program = traced
    torch.export.save(program, tmp_path / "network.pt2")
    module = torch.export.load(tmp_path / "network.pt2").module()
    assert_agrees(lambda arguments: module(**arguments), case, networks, exported)


def test_onnx_takes_other_sizes(traced, tmp_path):
    onnx = pytest.importorskip("onnx")
    case, networks, exported, program = traced
    path = tmp_path / "network.onnx"
    convert(program, exported.shape).save(path)
    onnx.checker.check_model(path, full_check=True)
    assert_agrees(onnx_runner(path), case, networks, exported)


@pytest.mark.parametrize("ending", [".py", ".pt2", ".onnx"])
def test_a_file_by_its_ending(ending, tmp_path, monkeypatch, capfd):
    onnx = pytest.importorskip("onnx") if ending == ".onnx" else None
    case = Case(level="node", kind="classification", labels=("no", "yes"))
    architecture = sample(1, random.Random(0), FEW)
    network, to = case.network(architecture, torch.float32), tmp_path / f"network{ending}"
    files = export([network], architecture, case.schema, WIDTHS, None, to)
    assert sorted(tmp_path.iterdir()) == sorted(files)
    assert capfd.readouterr() == ("", "")
    assert not any(sys.prefix.encode() in file.read_bytes() for file in files)
    exported = case.exported(architecture, network)
    if ending == ".py":
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "network", raising=False)
        written = __import__("network")
        assert written.LABELS == ("no", "yes")
        module = written.load()
        assert not module.training
    elif ending == ".pt2":
        module = torch.export.load(to).module()
    else:
        runner = onnx_runner(to)
        model = onnx.load(to)
        said = {entry.key: entry.value for entry in model.metadata_props}
        assert json.loads(said["labels"]) == ["no", "yes"]
        assert said["task"] == "node-classification"
        assert [entry.name for entry in model.graph.input] == ["x", "edge_index", "edge_attr"]
        assert [entry.name for entry in model.graph.output] == ["logits"]
    run = runner if ending == ".onnx" else lambda arguments: module(**arguments)
    assert_agrees(run, case, [network], exported)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("network.h5", r"the format is told by the ending: .* not \.h5$"),
        ("network", r"not none at all$"),
        ("nowhere/network.py", r"there is no folder .*nowhere; make it first$"),
    ],
)
def test_a_name_that_cannot_be(name, complaint, tmp_path):
    case, architecture = Case(), sample(1, random.Random(0), FEW)
    network = case.network(architecture)
    with pytest.raises(UserError, match=complaint):
        export([network], architecture, case.schema, WIDTHS, None, tmp_path / name)


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    case, architecture = Case(), sample(1, random.Random(0), FEW)
    network = case.network(architecture)
    with pytest.raises(UserError, match=r"ONNX needs onnx: pip install 'argnp\[onnx\]'$"):
        export([network], architecture, case.schema, WIDTHS, None, tmp_path / "network.onnx")
    assert not list(tmp_path.iterdir())


def test_a_model_in_double_precision_stays_so(tmp_path):
    case, architecture = Case(), sample(1, random.Random(0), FEW)
    network = case.network(architecture)
    path = tmp_path / "network.pt2"
    export([network], architecture, case.schema, WIDTHS, case.scaling, path)
    graphs = case.graphs()
    found = torch.export.load(path).module()(
        **graphs.arguments(case.exported(architecture, network))
    )
    torch.testing.assert_close(found, graphs.expected(network), rtol=1e-9, atol=1e-9)
