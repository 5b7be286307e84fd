import pytest

from argnp.cli.main import main


def test_make_takes_parameters_of_the_recipe_as_flags(tmp_path, capsys):
    folder = tmp_path / "small"
    words = ["data", "make", "cluster", "-o", str(folder), "--graphs", "6/2/2", "--largest", "6"]
    assert main(words) == 0
    assert main(["data", "info", str(folder)]) == 0
    assert "train 6, val 2, test 2" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--lagrest", "6"], ["--largest"]])
def test_a_wrong_parameter_is_one_line(tmp_path, capsys, words):
    assert main(["data", "make", "cluster", "-o", str(tmp_path / "x"), *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_other_commands_take_no_unknown_flags(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["data", "info", "digits", "--largest", "6"])
    assert "unrecognized arguments: --largest 6" in capsys.readouterr().err


def test_flags_that_the_data_has_no_use_for_are_refused(capsys):
    assert main(["data", "info", "digits", "--target", "y"]) == 2
    assert "--target: digits is no table of molecules; leave it out" in capsys.readouterr().err
