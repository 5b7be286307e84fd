"""The commands that look at a run and use it, as typed."""

import csv
import xml.etree.ElementTree as ET

import pytest

from argnp.cli.main import main
from argnp.model.load import load_model


def _one_line(capsys):
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


@pytest.mark.parametrize("more", [[], ["--search", "0"], ["--size", "2"]])
def test_show_in_the_terminal(small_run, capsys, more):
    assert main(["show", str(small_run.folder), *more]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Architecture of 2 vertices")
    assert set(load_model(small_run.folder).manifest.operations.node) <= set(shown.split())
    assert set(load_model(small_run.folder).manifest.operations.node) <= set(shown.split())
    assert "\x1b" not in shown


def test_show_a_file(small_run, capsys):
    main(["show", str(small_run.folder)])
    expected = capsys.readouterr().out
    assert main(["show", str(small_run.folder / "model" / "architecture.json")]) == 0
    assert capsys.readouterr().out == expected


def test_show_draws_both_pictures_at_once(small_run, tmp_path, capsys):
    pytest.importorskip("resvg_py")
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    assert main(["show", str(small_run.folder), "--svg", str(svg), "--png", str(png)]) == 0
    assert capsys.readouterr().out == ""
    assert ET.fromstring(svg.read_text()).tag.endswith("svg")
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "nowhere"),
        (["{run}", "--size", "99"], "99"),
        (["{run}", "--svg", "{run}/no/a.svg"], "there is no folder"),
        (["{run}", "--png", "{run}/no/a.png"], "there is no folder"),
    ],
)
def test_what_cannot_be_shown_is_one_line(small_run, capsys, arguments, told):
    assert main(["show", *(word.format(run=small_run.folder) for word in arguments)]) == 2
    assert told in _one_line(capsys)


def test_report_is_written_again(small_run, capsys):
    page = small_run.folder / "report.html"
    page.unlink(missing_ok=True)
    assert main(["report", str(small_run.folder)]) == 0
    assert capsys.readouterr().out == f"{page}\n"
    assert page.read_text().startswith("<!doctype html>")


def test_report_of_no_run_is_one_line(tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 2
    assert "no run" in _one_line(capsys)


def test_predict_with_all_networks(small_run, tmp_path, capsys):
    (tmp_path / "new.csv").write_text("structure\nCCO\nC(\n")
    one, all_of_them = tmp_path / "one.csv", tmp_path / "all.csv"
    given = ["predict", str(small_run.folder), str(tmp_path / "new.csv"), "--quiet", "-o"]
    assert main([*given, str(one)]) == 0
    assert main([*given, str(all_of_them), "--ensemble"]) == 0
    assert "2 rows, 1 of them without a prediction" in capsys.readouterr().out
    with one.open() as first, all_of_them.open() as second:
        single, (mean, bad) = next(csv.DictReader(first)), list(csv.DictReader(second))
    assert "logS_spread" not in single
    assert float(mean["logS_spread"]) > 0
    assert mean["logS"] != single["logS"]
    assert bad["logS_spread"] == ""
