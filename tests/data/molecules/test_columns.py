import pytest

from argnp.data.molecules.columns import check_targets, find_smiles_column, numeric_columns
from argnp.data.molecules.table import open_table
from argnp.errors import UserError

LINES = ("id,name,structure,logS,other", "1,ethanol,CCO,-0.77,C", "2,benzene,c1ccccc1,-1.6,C")


def test_smiles_are_found_by_parsing(write) -> None:
    table = open_table(write("a.csv", *LINES))
    assert find_smiles_column(table) == "structure"
    assert find_smiles_column(table, others=("structure",)) == "other"


def test_a_few_bad_molecules_do_not_hide_the_column(write) -> None:
    table = open_table(write("a.csv", "x,s", "1,CC", "2,bad", "3,", "4,CO"))
    assert find_smiles_column(table) == "s"


def test_no_smiles_says_how_to_name_them(write, capfd: pytest.CaptureFixture[str]) -> None:
    table = open_table(write("a.csv", "x,y", "1,2"))
    with pytest.raises(UserError, match=r"name it with --smiles-column \(columns: x, y\)"):
        find_smiles_column(table)
    assert capfd.readouterr() == ("", "")


def test_without_a_target_the_numeric_columns_are_listed(write) -> None:
    table = open_table(write("a.csv", *LINES))
    assert numeric_columns(table) == ["id", "logS"]
    with pytest.raises(UserError, match=r"--target \(columns of numbers: id, logS\)"):
        check_targets(table, [])


def test_targets_are_there_and_named_once(write) -> None:
    table = open_table(write("a.csv", *LINES))
    assert check_targets(table, ["logS", "id"]) == ("logS", "id")
    with pytest.raises(UserError, match="did you mean 'logS'"):
        check_targets(table, ["logP"])
    with pytest.raises(UserError, match="given twice"):
        check_targets(table, ["logS", "logS"])
