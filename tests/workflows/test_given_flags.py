import pytest

from argnp.cli.main import main

SMALL = ["--graphs", "24/8/8", "--size", "2", "--strategy", "random", "--epochs", "1", "--quiet"]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    run = tmp_path_factory.mktemp("runs") / "found"
    assert main(["search", "digits", *SMALL, "-o", str(run)]) == 0
    return run


@pytest.mark.parametrize("words", [["--size", "4"], ["--relations", "off"], ["--cells", "2"]])
def test_what_the_search_settled_is_not_changed_by_training(found, capsys, words):
    assert main(["train", str(found), *words]) == 2
    assert "settled" in capsys.readouterr().err


def test_a_given_architecture_keeps_its_relations(found, capsys, tmp_path):
    file = found / "search" / "0" / "round-0" / "architecture.json"
    words = ["train", "digits", *SMALL, "--architecture", str(file), "--relations", "off"]
    assert main([*words, "-o", str(tmp_path / "r")]) == 2
    assert "an architecture with relations" in capsys.readouterr().err


def test_a_missing_settings_file_is_noticed(found, capsys):
    assert main(["train", str(found), "--config", "nowhere.toml"]) == 2
    assert "nowhere.toml" in capsys.readouterr().err


def test_rejected_rows_are_kept_with_their_reason(tmp_path):
    table = tmp_path / "m.csv"
    rows = [f"{'C' * (1 + i % 9)}O,{i % 7}.5" for i in range(40)]
    table.write_text("\n".join(["smiles,y", *rows, "not a molecule,1.0"]) + "\n")
    run = tmp_path / "run"
    words = ["fit", str(table), "--target", "y", "--size", "2", "--strategy", "random"]
    assert main([*words, "--epochs", "1", "--quiet", "-o", str(run)]) == 0
    assert "not a molecule" in (run / "rejected.csv").read_text()
