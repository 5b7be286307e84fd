import pytest

from argnp.workflows import reading as module
from argnp.workflows.reading import reading


def test_lines_now_and_then_where_there_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(module, "EVERY", 0.0)
    with reading("molecules", quiet=False) as told:
        told(512, 2000)
        told(2000, 2000)
    assert capsys.readouterr().err == "molecules: 512 of 2,000\n"


def test_a_bar_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with reading("molecules", quiet=False) as told:
        told(512, 2000)
    assert "512/2000" in capsys.readouterr().err


def test_nothing_if_quiet(capsys):
    with reading("molecules", quiet=True) as told:
        assert told is None
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("quiet", [False, True])
def test_a_table_tells_how_far_it_is(tmp_path, capsys, monkeypatch, quiet):
    pytest.importorskip("rdkit")
    from argnp.workflows.open_data import open_data
    from argnp.workflows.settings import DataSettings

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(module, "EVERY", 0.0)
    rows = [f"{'C' * (1 + i % 9)}O,{i / 7}" for i in range(600)]
    (tmp_path / "m.csv").write_text("\n".join(["smiles,y", *rows]))
    settings = DataSettings(data=str(tmp_path / "m.csv"), target=("y",))
    open_data(settings, seed=0, quiet=quiet)
    assert ("molecules: 512 of 600" in capsys.readouterr().err) is not quiet
