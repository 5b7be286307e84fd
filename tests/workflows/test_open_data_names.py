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
