"""The written-out module against the network it was written from, in float64."""

import ast
import random
import subprocess
import sys

import pytest
import torch
from export_cases import CODES, LAP, NONE, SIZES, Case, every_operation

from argnp.arch import Architecture, Link, Space, Vertex, sample
from argnp.errors import UserError
from argnp.ops.catalogue import _NODE, register_node_operation

CASES = {
    "graph": Case(),
    "graph, undirected": Case(node=CODES, edge=CODES, encoding=LAP, relations="undirected"),
    "graph, no columns": Case(kind="multilabel", node=NONE, edge=NONE),
    "graph, off": Case(kind="classification", edge=NONE, relations="off"),
    "node": Case(level="node", kind="classification", node=CODES, encoding=LAP),
    "node, off": Case(level="node", edge=NONE, relations="off"),
    "edge": Case(level="edge", kind="classification"),
    "edge, undirected": Case(level="edge", relations="undirected", edge=CODES),
    "edge, off": Case(level="edge", relations="off", edge=NONE),
    "pairs": Case(level="edge", pairs=True),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def case(request) -> Case:
    return request.param


def agree(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("cells", [1, 2, 4])
def test_every_operation_in_every_task(case, cells):
    architecture = every_operation(cells=cells, relations=case.relations != "off")
    network = case.network(architecture)
    exported = case.exported(architecture, network)
    module = exported.module()
    for seed, sizes in enumerate(SIZES):
        graphs = case.graphs(sizes, seed=seed)
        agree(module(**graphs.arguments(exported)), graphs.expected(network))


@pytest.mark.parametrize("size", [1, 4, 8])
def test_random_architectures(case, size):
    space = Space(relations=case.relations != "off")
    architecture = sample(size, random.Random(size), space)
    network = case.network(architecture)
    exported = case.exported(architecture, network)
    graphs = case.graphs()
    agree(exported.module()(**graphs.arguments(exported)), graphs.expected(network))


@pytest.mark.parametrize("options", [{"readout": "sum"}, {"encoder_norm": True}, {"dropout": 0.5}])
def test_options_of_the_network(options):
    case, architecture = Case(node=CODES), every_operation()
    network = case.network(architecture, **options)
    exported = case.exported(architecture, network)
    graphs = case.graphs()
    agree(exported.module()(**graphs.arguments(exported)), graphs.expected(network))


def test_float32_is_close():
    case, architecture = Case(relations="undirected"), every_operation()
    network = case.network(architecture, torch.float32)
    exported = case.exported(architecture, network)
    graphs = case.graphs(dtype=torch.float32)
    found = exported.module()(**graphs.arguments(exported))
    torch.testing.assert_close(found, graphs.expected(network), rtol=0, atol=5e-6)


@pytest.mark.parametrize("kind", ["regression", "classification", "multilabel"])
def test_an_ensemble_is_one_module(kind):
    case, architecture = Case(kind=kind), every_operation()
    networks = [case.network(architecture, seed=seed) for seed in range(3)]
    exported = case.exported(architecture, *networks)
    graphs = case.graphs()
    found, expected = exported.module()(**graphs.arguments(exported)), graphs.expected(*networks)
    if kind == "classification":
        found, expected = found.softmax(1), expected.softmax(1)
    agree(found, expected)


@pytest.mark.parametrize("relations", ["directed", "undirected"])
def test_it_trains_as_the_network_does(relations):
    """Batch statistics, running statistics and gradients: pairs count for both directions."""
    case, architecture = Case(relations=relations, edge=CODES), every_operation()
    network = case.network(architecture)
    exported = case.exported(architecture, network)
    module, graphs = exported.module().train(), case.graphs()
    network.train()
    found, expected = module(**graphs.arguments(exported)), graphs.expected(network)
    agree(found, expected)
    found.square().sum().backward()
    expected.square().sum().backward()
    agree(module.encode_V.weight.grad, network.encoder.node.linear.weight.grad)
    after = case.exported(architecture, network).state
    for name, value in module.state_dict().items():
        if "running" in name:
            agree(value, after[name])


def test_a_batch_with_a_single_edge_trains():
    case, architecture = Case(), every_operation()
    exported = case.exported(architecture, case.network(architecture))
    graphs = case.graphs(((2, 1), (2, 0)))
    assert exported.module().train()(**graphs.arguments(exported)).isfinite().all()


def test_one_graph_needs_neither_batch_nor_number():
    case, architecture = Case(), every_operation()
    network = case.network(architecture)
    exported = case.exported(architecture, network)
    module, graphs = exported.module(), case.graphs(((5, 7),))
    given = graphs.arguments(exported)
    del given["num_graphs"]
    agree(module(**given), graphs.expected(network))
    del given["batch"]
    agree(module(**given), graphs.expected(network))


def test_only_what_is_used_is_written():
    space = Space(node_operations=("V_GEM3", "skip"), relation_operations=("E_HAD",))
    architecture = Architecture(
        (
            Vertex(
                (Link(-1, "V_GEM3"), Link(0, "skip")),
                (Link(-1, "E_HAD"), Link(0, "E_HAD")),
            ),
        ),
        space,
    )
    case = Case(level="node", kind="classification")
    text = case.exported(architecture, case.network(architecture)).text
    defined = {
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    assert defined == {
        *("act", "BatchNorm", "Film", "Gather", "Head", "NodeOperation", "load"),
        *("scatter_gem3", "scatter_mean", "scatter_sum", "scatter_count", "Cell", "GraphNetwork"),
    }
    assert "# V_1 = gem3(V_in0) + skip(V_in1)" in text


def test_it_needs_torch_alone():
    case, architecture = Case(), every_operation()
    text = case.exported(architecture, case.network(architecture)).text
    roots = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert roots == {"collections", "pathlib", "torch", "safetensors"}
    assert "argnp" not in text


@pytest.mark.parametrize(
    ("case", "codes", "logits"),
    [
        (Case(node=CODES), True, None),
        (Case(edge=CODES, kind="classification"), True, "softmax(1)"),
        (Case(edge=CODES, kind="multilabel", relations="off"), False, "sigmoid()"),
        (Case(level="node"), False, None),
    ],
)
def test_the_file_says_how_its_inputs_are_made_and_what_comes_out(case, codes, logits):
    architecture = every_operation(relations=case.relations != "off")
    text = case.exported(architecture, case.network(architecture)).text
    assert ("model.json of the" in text) is codes
    assert ("Logits (graphs, 2)." in text) is (logits is not None)
    assert logits is None or f"Probabilities are their {logits}." in text


def test_linters_like_it(tmp_path):
    for number, (case, cells) in enumerate((c, k) for c in CASES.values() for k in (1, 3)):
        architecture = every_operation(cells=cells, relations=case.relations != "off")
        networks = [case.network(architecture)] * (1 + number % 2)
        text = case.exported(architecture, *networks).text
        (tmp_path / f"network{number}.py").write_text(text)
    ruff = [sys.executable, "-m", "ruff"]
    chosen = ["--select", "E,F,W,I,UP,B,SIM,RET,C4", "--line-length", "88"]
    for command in (["check", *chosen], ["format", "--check"]):
        ran = subprocess.run(
            [*ruff, *command, "--isolated", str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_labels_are_only_ever_strings():
    labels = ('"""; raise SystemExit #', "it's\n\\", "a" * 90)
    case, architecture = Case(outputs=3, labels=labels), every_operation()
    text = case.exported(architecture, case.network(architecture)).text
    found = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert found["LABELS"] == labels
    assert found["TARGET_MEAN"] == (1.5,) * 3


def test_an_operation_of_ones_own_is_named(monkeypatch):
    monkeypatch.setattr("argnp.ops.catalogue._NODE", dict(_NODE))
    register_node_operation("V_MINE", _NODE["V_SUM"])
    space = Space(node_operations=("V_MINE",))
    architecture = sample(1, random.Random(0), space)
    case = Case()
    with pytest.raises(UserError, match=r"^export: V_MINE: an operation of your own"):
        case.exported(architecture, case.network(architecture))
