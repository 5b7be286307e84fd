import pickle

import pytest
import torch

from argnp.data.benchmarks.named import load_named
from argnp.errors import UserError


def molecule(atoms, y):
    """A chain, as the raw pickles hold it: bonds as a matrix."""
    bonds = torch.zeros(atoms, atoms, dtype=torch.long)
    for i in range(atoms - 1):
        bonds[i, i + 1] = bonds[i + 1, i] = 1 + i % 3
    return {
        "num_atom": atoms,
        "atom_type": torch.arange(atoms) % 5,
        "bond_type": bonds,
        "logP_SA_cycle_normalized": torch.tensor([y]),
    }


def write_raw(folder, molecules):
    folder.mkdir(parents=True)
    for split in ("train", "val", "test"):
        (folder / f"{split}.pickle").write_bytes(pickle.dumps(molecules, protocol=2))
        (folder / f"{split}.index").write_text("3,1,2\n")


@pytest.mark.parametrize("place", [".", "ZINC"])
def test_the_subset_is_the_indexed_molecules(tmp_path, place):
    write_raw(tmp_path / place / "raw", [molecule(n + 2, float(n)) for n in range(5)])
    data = load_named("zinc", tmp_path)
    assert data.metric == "mae"
    assert data.schema.task.name == "graph-regression"
    assert data.schema.relations == "undirected"
    assert [len(data.splits[s]) for s in ("train", "val", "test")] == [3, 3, 3]
    batch = data.source.batch(data.splits["train"])
    assert batch.target.flatten().tolist() == [3.0, 1.0, 2.0]
    assert (batch.topology.node_ptr.diff()).tolist() == [5, 3, 4]
    assert data.schema.node.sizes == (5,)
    assert str(tmp_path) in " ".join(data.notes)


def test_the_full_set_needs_no_index_and_is_read_again_from_what_was_processed(tmp_path):
    write_raw(tmp_path / "raw", [molecule(n + 2, float(n)) for n in range(5)])
    first = load_named("zinc-full", tmp_path)
    assert len(first.splits["train"]) == 5
    for file in (tmp_path / "raw").iterdir():
        file.unlink()
    assert load_named("zinc-full", tmp_path).fingerprint == first.fingerprint


def test_the_full_set_needs_the_three_pickles_only(tmp_path):
    write_raw(tmp_path / "raw", [molecule(n + 2, float(n)) for n in range(5)])
    for file in (tmp_path / "raw").glob("*.index"):
        file.unlink()
    assert len(load_named("zinc-full", tmp_path).splits["test"]) == 5


def test_a_missing_file_costs_none_of_the_others(tmp_path):
    write_raw(tmp_path / "ZINC" / "raw", [molecule(n + 2, float(n)) for n in range(5)])
    (tmp_path / "ZINC" / "raw" / "test.index").unlink()
    with pytest.raises(UserError, match=r"test.index is missing"):
        load_named("zinc", tmp_path)
    assert len(list((tmp_path / "ZINC" / "raw").iterdir())) == 5


def test_code_in_the_raw_pickle_is_refused(tmp_path, attack):
    payload, bait = attack
    write_raw(tmp_path / "raw", [molecule(3, 0.0), payload])
    with pytest.raises(UserError, match=r"zinc: .*which is no tensor") as told:
        load_named("zinc", tmp_path)
    assert not bait.exists()
    assert "\n" not in str(told.value)


def test_code_within_a_tensor_within_the_raw_pickle_is_refused(tmp_path, attack):
    payload, bait = attack

    class Storage:
        def __reduce__(self):
            import io

            inside = io.BytesIO()
            torch.save(payload, inside)
            return (torch.storage._load_from_bytes, (inside.getvalue(),))

    write_raw(tmp_path / "raw", [Storage()])
    with pytest.raises(UserError, match="no tensor"):
        load_named("zinc", tmp_path)
    assert not bait.exists()


@pytest.mark.parametrize("file", ["train.pt", "pre_transform.pt"])
def test_code_in_the_processed_files_is_refused(tmp_path, attack, file):
    payload, bait = attack
    write_raw(tmp_path / "raw", [molecule(n + 2, float(n)) for n in range(5)])
    load_named("zinc", tmp_path)
    torch.save(payload, tmp_path / "subset" / "processed" / file)
    with pytest.raises(UserError, match="no tensor"):
        load_named("zinc", tmp_path)
    assert not bait.exists()


def test_a_damaged_file_is_one_line(tmp_path):
    write_raw(tmp_path / "raw", [molecule(n + 2, float(n)) for n in range(5)])
    file = tmp_path / "raw" / "val.pickle"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(UserError, match="cannot be read") as told:
        load_named("zinc", tmp_path)
    assert "\n" not in str(told.value)


def test_without_files_and_network_the_line_says_what_from_where_to_where(tmp_path):
    with pytest.raises(UserError) as told:
        load_named("zinc", tmp_path)
    line = str(told.value)
    assert "train.pickle is missing" in line
    assert "https://www.dropbox.com" in line
    assert str(tmp_path / "ZINC" / "raw") in line
    assert "\n" not in line
    assert not (tmp_path / "ZINC").exists(), "nothing empty is left behind"
