import pytest

from argnp.errors import UserError
from argnp.workflows.open_data import open_data
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
