import json

import numpy as np
import pytest
import torch

from argnp.data.generators.make import generate, make, open_folder
from argnp.errors import UserError


def test_a_folder_of_graphs_opens_as_what_was_generated(tmp_path):
    folder = tmp_path / "deep" / "clusters"
    make("cluster", folder, (6, 2, 2), seed=3, parameters={"largest": 8})
    opened = open_folder(folder)
    direct = generate("cluster", (6, 2, 2), seed=3, parameters={"largest": 8})
    assert opened.fingerprint == direct.fingerprint
    assert opened.schema == direct.schema
    assert opened.notes == direct.notes
    one, other = (d.source.batch(d.splits["test"]) for d in (opened, direct))
    assert torch.equal(one.topology.source, other.topology.source)
    assert torch.equal(one.node, other.node)
    assert list(folder.parent.iterdir()) == [folder], "no draft is left"


def test_a_folder_of_point_clouds_opens_as_what_was_generated(tmp_path):
    make("shapes", tmp_path / "s", (12, 3, 3), parameters={"points": 32})
    opened = open_folder(tmp_path / "s")
    direct = generate("shapes", (12, 3, 3), parameters={"points": 32})
    assert opened.fingerprint == direct.fingerprint
    assert opened.schema == direct.schema
    one, other = (d.source.batch(d.splits["train"]) for d in (opened, direct))
    assert torch.equal(one.topology.source, other.topology.source)
    assert torch.equal(one.node, other.node)


def test_an_existing_folder_is_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UserError, match="exists already"):
        make("cluster", tmp_path, 6)
    (tmp_path / "empty").mkdir()
    make("cluster", tmp_path / "empty", 6, parameters={"largest": 6})
    assert len(open_folder(tmp_path / "empty").source) == 6


def test_nothing_is_left_when_writing_fails(tmp_path, monkeypatch):
    def full(*_args, **_kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(UserError, match="No space left"):
        make("shapes", tmp_path / "s", (12, 3, 3), parameters={"points": 8})
    assert not list(tmp_path.iterdir())


def test_a_folder_without_data_says_how_to_make_one(tmp_path):
    with pytest.raises(UserError, match="argnp data make"):
        open_folder(tmp_path)


def test_damage_is_told_in_a_line_and_pickles_are_refused(tmp_path):
    folder = tmp_path / "s"
    make("shapes", folder, (12, 3, 3), parameters={"points": 8})
    card = folder / "pointclouds.json"
    content = json.loads(card.read_text())
    np.save(folder / "y.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(UserError, match=r"y\.npy cannot be read"):
        open_folder(folder)
    np.save(folder / "y.npy", np.zeros(3, dtype=np.int64))
    with pytest.raises(UserError, match="make it again"):
        open_folder(folder)
    card.write_text(json.dumps({**content, "version": 99}))
    with pytest.raises(UserError, match="format 99"):
        open_folder(folder)
    card.write_text("{")
    with pytest.raises(UserError, match=r"pointclouds\.json"):
        open_folder(folder)


def test_negative_seeds_are_refused():
    with pytest.raises(UserError, match="--seed -1"):
        generate("cluster", 6, seed=-1)
