import hashlib
import json
import os
import shutil

import numpy as np
import pytest
import torch

from argnp.errors import UserError
from argnp.model.load import load_model
from argnp.ops import catalogue

FILES = ("architecture.json", "model.json", "metrics.json", "weights-1.safetensors")


def _refused(folder):
    with pytest.raises(UserError) as caught:
        load_model(folder)
    text = str(caught.value)
    assert "\n" not in text
    return text


def _rewrite(folder, name, change):
    """Changes a JSON file and its checksum, as someone who knows what they do would."""
    file = folder / name
    value = json.loads(file.read_text())
    change(value)
    file.write_text(json.dumps(value))
    if name == "checksums.json":
        return
    sums = json.loads((folder / "checksums.json").read_text())
    sums["sha256"][name] = hashlib.sha256(file.read_bytes()).hexdigest()
    (folder / "checksums.json").write_text(json.dumps(sums))


def test_the_networks_come_back_to_the_bit(packaged):
    model = load_model(packaged.folder)
    batch = packaged.dataset.source.batch(np.arange(5))
    for one, other in zip(packaged.networks, model.networks, strict=True):
        assert torch.equal(one(batch), other(batch))
        state = other.state_dict()
        assert all(torch.equal(value, state[name]) for name, value in one.state_dict().items())
    assert model.architecture == packaged.architecture
    assert model.schema == packaged.dataset.schema
    assert model.metrics.validation == {"mae": 0.5}


def test_it_loads_wherever_it_was_moved(packaged, tmp_path):
    expected = load_model(packaged.folder).predict(packaged.dataset)
    run = tmp_path / "elsewhere" / "a run"
    run.mkdir(parents=True)
    shutil.move(packaged.folder, run / "model")
    for path in (run, run / "model", str(run)):
        assert np.array_equal(load_model(path).predict(packaged.dataset), expected)


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_is_noticed(packaged, name):
    file = packaged.folder / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert f"{name}: damaged or changed" in _refused(packaged.folder)


@pytest.mark.parametrize("name", FILES)
def test_a_torn_file_is_noticed(packaged, name):
    file = packaged.folder / name
    file.write_bytes(file.read_bytes()[:-1])
    assert f"{name}: damaged or changed" in _refused(packaged.folder)


@pytest.mark.parametrize("name", ["checksums.json", *FILES[:1], *FILES[2:]])
def test_a_missing_file_is_named(packaged, name):
    (packaged.folder / name).unlink()
    assert f"{name}: missing" in _refused(packaged.folder)


def test_a_torn_list_of_checksums_is_named(packaged):
    file = packaged.folder / "checksums.json"
    file.write_bytes(file.read_bytes()[:20])
    assert "checksums.json: " in _refused(packaged.folder)


def test_the_card_may_be_edited(packaged):
    (packaged.folder / "README.md").write_text("my own words")
    load_model(packaged.folder)


def test_places_without_a_model_are_told_apart(packaged, tmp_path):
    assert "no such folder" in _refused(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    assert "no model there: model.json is missing" in _refused(tmp_path / "empty")


@pytest.mark.parametrize(("version", "advice"), [(99, "install a newer argnp"), (0, "anew")])
def test_a_format_of_another_version_is_told_first(packaged, version, advice):
    def change(value):
        value.update(format=version, something_new=1)

    _rewrite(packaged.folder, "model.json", change)
    text = _refused(packaged.folder)
    assert f"model.json: format {version}, this argnp reads 1" in text
    assert advice in text


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "a/b", "..\\\\secret", "", "a\n", "weights 0"]
)
def test_weights_lie_in_the_folder_itself(packaged, name):
    _rewrite(packaged.folder, "model.json", lambda value: value.update(weights=[name]))
    assert "$.weights" in _refused(packaged.folder)


@pytest.mark.parametrize("name", [".", ".."])
def test_weights_are_no_folder(packaged, name):
    _rewrite(packaged.folder, "model.json", lambda value: value.update(weights=[name]))
    _rewrite(packaged.folder, "checksums.json", lambda value: value["sha256"].update({name: "0"}))
    assert "no regular file" in _refused(packaged.folder)


@pytest.mark.parametrize("name", ["model.json", "weights-0.safetensors", "checksums.json"])
def test_a_pipe_in_place_of_a_file_is_not_read(packaged, name):
    (packaged.folder / name).unlink()
    os.mkfifo(packaged.folder / name)
    assert f"{name}: no regular file" in _refused(packaged.folder)


def test_a_link_is_read_if_it_leads_to_what_was_packaged(packaged, tmp_path):
    """Caches of model hubs are made of links; the checksum tells what is behind them."""
    weights = packaged.folder / "weights-0.safetensors"
    weights.rename(tmp_path / "blob")
    weights.symlink_to(tmp_path / "blob")
    load_model(packaged.folder)
    weights.unlink()
    for elsewhere, told in (("/etc/hostname", "damaged or changed"), ("/dev/zero", "no regular")):
        weights.symlink_to(elsewhere)
        assert told in _refused(packaged.folder)
        weights.unlink()


@pytest.mark.parametrize("head", [b"", b"\xff" * 8, b"\x10" + bytes(7) + b"{" * 16])
def test_weights_that_cannot_be_parsed_are_named(packaged, head):
    """Although their checksum is right."""
    file = packaged.folder / "weights-0.safetensors"
    content = head + bytes(len(file.read_bytes()) - len(head))
    file.write_bytes(content)
    sums = {"weights-0.safetensors": hashlib.sha256(content).hexdigest()}
    _rewrite(packaged.folder, "checksums.json", lambda value: value["sha256"].update(sums))
    assert "weights-0.safetensors: does not fit the architecture" in _refused(packaged.folder)


def test_a_manifest_that_does_not_fit_says_where(packaged):
    _rewrite(packaged.folder, "model.json", lambda value: value["widths"].update(node="wide"))
    assert "$.widths.node" in _refused(packaged.folder)


def test_weights_of_another_network_do_not_fit(packaged):
    _rewrite(packaged.folder, "model.json", lambda value: value["widths"].update(node=9))
    assert "weights-0.safetensors: does not fit the architecture" in _refused(packaged.folder)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda value: value["widths"].update(node=0), "$.widths.node"),
        (lambda value: value["widths"].update(node=10**9), "does not fit the architecture"),
        (lambda value: value["schema"]["encoding"].update(kind="lap", width=10**9), "weights are"),
        (lambda value: value.update(weights=[]), "$.weights"),
        (lambda value: value.update(metric="beauty"), "unknown metric 'beauty'"),
        (lambda value: value.update(scaling={"mean": [0], "std": []}), "not of the 1 outputs"),
    ],
)
def test_a_manifest_that_cannot_be_is_refused_before_memory_is_asked_for(
    packaged, change, complaint
):
    _rewrite(packaged.folder, "model.json", change)
    assert complaint in _refused(packaged.folder)


def test_a_broken_architecture_says_where(packaged):
    _rewrite(packaged.folder, "architecture.json", lambda value: value.pop("space"))
    assert "architecture.json: architecture: 'space' is missing" in _refused(packaged.folder)


def test_an_operation_that_is_not_registered_is_named(packaged, monkeypatch):
    def rename(value):
        space = value["space"]["node_operations"]
        space.append("V_MINE")
        links = [link for vertex in value["vertices"] for link in vertex["node"]]
        next(link for link in links if link["operation"] != "skip")["operation"] = "V_MINE"

    _rewrite(packaged.folder, "architecture.json", rename)
    text = _refused(packaged.folder)
    assert "node operation 'V_MINE'" in text
    assert "argnp.ops.catalogue.register_node_operation('V_MINE', ...)" in text
    monkeypatch.setitem(catalogue._NODE, "V_MINE", catalogue._NODE["V_MEAN"])
    assert load_model(packaged.folder).predict(packaged.dataset).shape == (12, 1)
