import msgspec
import pytest

from argnp.errors import UserError
from argnp.workflows.open_data import open_data, without_idle
from argnp.workflows.settings import DataSettings


def test_a_name_wins_over_a_folder_of_that_name(tmp_path, monkeypatch):
    (tmp_path / "digits").mkdir()
    monkeypatch.chdir(tmp_path)
    opened = open_data(DataSettings(data="digits", graphs="20"), seed=0)
    assert opened.dataset.name == "digits"


def test_a_misspelt_name_is_put_right():
    with pytest.raises(UserError, match=r"clutser: neither .* did you mean cluster\? `argnp data"):
        open_data(DataSettings(data="clutser"), seed=0)
    with pytest.raises(UserError, match=r"name nor package.module:name; `argnp data list`"):
        open_data(DataSettings(data="qqq"), seed=0)


def test_splits_are_drawn_as_asked_where_a_name_has_none(tmp_path):
    raw = tmp_path / "RINGS" / "raw"
    raw.mkdir(parents=True)
    for kind, lines in {
        "A": [f"{3 * g + i + 1}, {3 * g + (i + 1) % 3 + 1}" for g in range(20) for i in range(3)],
        "graph_indicator": [g + 1 for g in range(20) for _ in range(3)],
        "graph_labels": [g % 2 for g in range(20)],
    }.items():
        (raw / f"RINGS_{kind}.txt").write_text("".join(f"{line}\n" for line in lines))
    rings = DataSettings(data="tu:RINGS", root=str(tmp_path))
    halved = msgspec.structs.replace(rings, split="random", split_sizes=(0.5, 0.25, 0.25))
    splits = open_data(halved, seed=0).dataset.splits
    assert {name: len(rows) for name, rows in splits.items()} == {"train": 10, "val": 5, "test": 5}
    assert len(open_data(rings, seed=0).dataset.splits["train"]) == 16


@pytest.mark.parametrize("given", [{"split": "random"}, {"split_sizes": (0.5, 0.25, 0.25)}])
def test_splits_that_data_has_are_not_drawn_anew(given):
    with pytest.raises(UserError, match=r"--split(-sizes)?: digits has its own; leave it out"):
        open_data(DataSettings(data="digits", graphs="20", **given), seed=0)


@pytest.mark.parametrize(
    ("data", "given", "complaint"),
    [
        ("m.csv", {"graphs": "20"}, "--graphs: m.csv is no benchmark's name; leave it out"),
        ("m.csv", {"root": "x"}, "--root: m.csv is no benchmark's name"),
        ("digits", {"featurizer": "zinc"}, "--featurizer: digits is no table of molecules"),
        ("digits", {"on_invalid": "error"}, "--on-invalid: digits is no table of molecules"),
        ("digits", {"target": ("y",)}, "--target: digits is no table of molecules"),
        (".", {"graphs": "20"}, "--graphs: . is no benchmark's name"),
        (".", {"task": "graph-regression"}, "--task: . has its own"),
        ("mine:graphs", {"smiles_column": "s"}, "--smiles-column: mine:graphs is no table"),
        ("mine:graphs", {"recipe": {"a": 1.0}}, "--set data.recipe: mine:graphs is no bench"),
    ],
)
def test_options_that_the_data_has_no_use_for_are_refused(data, given, complaint):
    with pytest.raises(UserError, match=complaint):
        open_data(DataSettings(data=data, **given), seed=0)


def test_a_run_leaves_out_what_other_data_has_no_use_for():
    run = DataSettings(data="digits", target=("y",), featurizer="zinc", split="random")
    assert without_idle(run) == DataSettings(data="digits")


@pytest.mark.parametrize("name", ["m.csv", "m.TSV.gz", "m.parquet.gz", "m.smi.gz"])
def test_a_table_is_known_by_its_ending(tmp_path, name):
    with pytest.raises(UserError, match="no such file"):
        open_data(DataSettings(data=str(tmp_path / name), target=("y",)), seed=0)


def test_any_other_file_is_read_as_a_table(tmp_path, monkeypatch):
    pytest.importorskip("rdkit")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "measured.dat").write_text("smiles\ty\n" + "CCO\t0.5\n" * 12)
    opened = open_data(DataSettings(data=str(tmp_path / "measured.dat"), target=("y",)), seed=0)
    assert len(opened.dataset.source) == 12


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def graphs():\n    raise OSError('my\\nown')\n", r"OSError: my own \(.*line 2\)"),
        ("graphs = 1 / 0\n", r"ZeroDivisionError: division by zero \(.*line 1\)"),
        ("def graphs(:\n", r"SyntaxError: .*broken\w*\.py, line 1"),
        ("graphs = None\n", "data of type NoneType is not understood"),
        ("def other(): ...\n", "has no attribute 'graphs'; package.module:name is expected"),
    ],
)
def test_what_is_wrong_in_a_module_of_ones_own_is_one_line(tmp_path, monkeypatch, text, complaint):
    module = f"broken_{tmp_path.name}"
    (tmp_path / f"{module}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UserError, match=complaint) as told:
        open_data(DataSettings(data=f"{module}:graphs"), seed=0)
    assert "\n" not in str(told.value)


def test_a_class_of_datasets_is_made_an_object_of(tmp_path, monkeypatch):
    module = f"classes_{tmp_path.name}"
    (tmp_path / f"{module}.py").write_text(
        "import torch\n"
        "from torch_geometric.data import Data\n"
        "class Rings:\n"
        "    def __len__(self):\n"
        "        return 20\n"
        "    def __getitem__(self, i):\n"
        "        nodes = torch.arange(3)\n"
        "        edges = torch.stack([nodes, (nodes + 1) % 3])\n"
        "        return Data(x=torch.ones(3, 1), edge_index=edges, y=torch.tensor([float(i)]))\n"
        "class Needs(Rings):\n"
        "    def __init__(self, root): ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    opened = open_data(DataSettings(data=f"{module}:Rings"), seed=0)
    assert len(opened.dataset.source) == 20
    with pytest.raises(UserError, match=r"Needs: TypeError: .*missing 1 required .*'root'"):
        open_data(DataSettings(data=f"{module}:Needs"), seed=0)
