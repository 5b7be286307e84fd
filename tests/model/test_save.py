import hashlib
import json
from pathlib import Path

import msgspec
import pytest

from argnp.arch import undecided
from argnp.errors import UserError
from argnp.model.card import write_card
from argnp.model.folder import write_folder
from argnp.model.load import load_model
from argnp.model.manifest import Metrics
from argnp.model.save import save_model
from argnp.nets.widths import Widths


def test_the_folder_holds_everything_and_no_pickle(packaged):
    names = {file.name for file in packaged.folder.iterdir()}
    weights = {f"weights-{i}.safetensors" for i in range(3)}
    cards = {"architecture.json", "model.json", "metrics.json", "README.md", "checksums.json"}
    assert names == weights | cards
    sums = json.loads((packaged.folder / "checksums.json").read_text())["sha256"]
    assert set(sums) == names - {"checksums.json"}
    for name, told in sums.items():
        assert hashlib.sha256((packaged.folder / name).read_bytes()).hexdigest() == told
    manifest = json.loads((packaged.folder / "model.json").read_text())
    used = {
        link.operation for _, link in packaged.architecture.places("node") if link.operation
    } - {"skip"}
    assert set(manifest["operations"]["node"]) == used
    assert manifest["schema"]["relations"] == "undirected"
    assert manifest["schema"]["encoding"] == {"kind": "rwse", "width": 3}
    assert json.loads((packaged.folder / "metrics.json").read_text())["test"] == {"mae": 0.625}


def test_the_card_has_a_head_that_hubs_read(packaged):
    yaml = pytest.importorskip("yaml")
    text = (packaged.folder / "README.md").read_text()
    _, head, body = text.split("---\n", 2)
    card = yaml.safe_load(head)
    assert card["library_name"] == "argnp"
    assert "graph-regression" in card["tags"]
    assert card["metrics"] == ["mae"]
    result = card["model-index"][0]["results"][0]
    assert result["dataset"]["name"] == "rings"
    assert result["metrics"] == [{"type": "mae", "value": 0.625, "name": "test mae"}]
    assert "license" not in card
    assert "| mae | 0.5 | 0.625 |" in body


def test_the_cards_head_is_what_yaml_reads(packaged):
    yaml = pytest.importorskip("yaml")
    manifest = load_model(packaged.folder).manifest
    name = 'a 😀 "b": c\u2028d\x85e \\ # é'
    for value in (1e-05, 2.5e-300, 1e22, 0.1, -3.0, 1.25e-7):
        card = write_card(
            msgspec.structs.replace(manifest, name=name),
            packaged.architecture,
            Metrics("mae", {"mae": 0.5}, {"mae": value}),
            parameters=1,
        )
        result = yaml.safe_load(card.split("---\n")[1])["model-index"][0]
        assert result["name"] == name
        assert result["results"][0]["metrics"][0]["value"] == value


def test_names_are_no_mark_up_of_the_card(packaged):
    manifest = load_model(packaged.folder).manifest
    card = write_card(
        msgspec.structs.replace(manifest, name="a|b\n# c <img>", target_names=("x\n\n# y",)),
        packaged.architecture,
        Metrics("mae", {"m|ae\n": 0.5}, {}),
        parameters=1,
    )
    body = card.split("---\n\n", 1)[1]
    assert body.startswith("# a\\|b # c &lt;img>: graph-regression\n")
    assert "Predicts x # y of" in body
    assert "| m\\|ae | 0.5 |  |\n" in body


def test_a_new_model_takes_the_place_of_the_old(packaged, package):
    (packaged.folder / "notes.txt").write_text("mine")
    before = load_model(packaged.folder).predict(packaged.dataset)
    package(packaged.dataset, packaged.folder, size=3)
    model = load_model(packaged.folder)
    assert len(model.networks) == 1
    assert not (packaged.folder / "weights-1.safetensors").exists()
    assert (packaged.folder / "notes.txt").read_text() == "mine"
    assert (model.predict(packaged.dataset) != before).any()
    assert [item.name for item in packaged.folder.parent.iterdir()] == ["model"]


def test_a_folder_of_other_things_is_left_alone(packaged, package, tmp_path):
    other = tmp_path / "thesis"
    other.mkdir()
    (other / "chapter.tex").write_text("years of work")
    with pytest.raises(UserError, match="thesis: holds other things than a model"):
        package(packaged.dataset, other)
    assert (other / "chapter.tex").read_text() == "years of work"


def test_what_fails_on_the_way_leaves_the_old_model(packaged, monkeypatch):
    before = {file.name: file.read_bytes() for file in packaged.folder.iterdir()}

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("argnp.model.folder._write", full)
    with pytest.raises(UserError, match="the disk is full"):
        write_folder(packaged.folder, {"model.json": b"{}"})
    assert {file.name: file.read_bytes() for file in packaged.folder.iterdir()} == before
    assert [item.name for item in packaged.folder.parent.iterdir()] == ["model"]


def test_what_a_killed_writer_left_is_cleared_away(packaged, package):
    left = packaged.folder.with_name(".new-model-1")
    left.mkdir()
    (left / "model.json").write_text("{}")
    package(packaged.dataset, packaged.folder)
    assert not left.exists()


def test_what_a_link_leads_to_is_written(packaged, package, tmp_path):
    link = tmp_path / "links" / "model"
    link.parent.mkdir()
    link.symlink_to(packaged.folder)
    for size in (2, 3):
        package(packaged.dataset, link, size=size)
        assert link.is_symlink()
        assert load_model(link).architecture == load_model(packaged.folder).architecture
        assert load_model(link).architecture.size == size
    assert [item.name for item in link.parent.iterdir()] == ["model"]
    assert not [item.name for item in packaged.folder.parent.iterdir() if item.name[0] == "."]


def test_a_link_that_an_older_argnp_left_behind_is_cleared_away(packaged, package, tmp_path):
    left = packaged.folder.with_name(".old-model-1")
    left.symlink_to(tmp_path)
    package(packaged.dataset, packaged.folder)
    assert not left.is_symlink()


@pytest.mark.parametrize("name", [".", "..", "{here}"])
def test_the_folder_one_is_in_stays(packaged, package, tmp_path, monkeypatch, name):
    here = tmp_path / "empty" / "here"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    if name == "..":
        (here.parent / "model.json").write_text("{}")
    with pytest.raises(UserError, match="you are in this folder"):
        package(packaged.dataset, Path(name.format(here=here)))
    assert not list(here.iterdir())


def test_a_supernet_is_no_model(packaged, tmp_path):
    with pytest.raises(ValueError, match="decided"):
        save_model(
            tmp_path / "other",
            packaged.networks,
            architecture=undecided(2),
            widths=Widths(),
            schema=packaged.dataset.schema,
            metric="mae",
            name="rings",
        )
