"""Reports of fits that happened: classes of graphs, molecules, clouds."""

import time
from pathlib import Path
from typing import Any

import pytest

import argnp

SMALL: dict[str, Any] = {
    **{"size": 2, "search_epochs": 2, "epochs": 2, "quiet": True},
    **{"widths__node": 8, "widths__edge": 6, "widths__node_out": 8, "widths__edge_out": 6},
}


def _molecules(folder: Path) -> str:
    pytest.importorskip("rdkit", reason="molecules need the chem extra")
    fragments = ("C", "CO", "CN", "c1ccccc1", "C1CC1", "C=C", "C#N", "C(=O)[O-]")
    rows = [f"{'C' * (i // 8)}{fragments[i % 8]},{0.3 * i + 0.1}" for i in range(40)]
    (folder / "molecules.csv").write_text("\n".join(["smiles,logS", *rows]) + "\n")
    return str(folder / "molecules.csv")


@pytest.fixture(scope="module", params=["classes", "molecules", "clouds"])
def run(
    request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """What it is of, and the page. Without a browser nothing is fitted."""
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        if request.param == "classes":
            given: dict[str, Any] = {"data": "digits", "graphs": 60}
        elif request.param == "molecules":
            given = {"data": _molecules(folder), "target": "logS", "ensemble": 2}
        else:
            given = {"data": "shapes", "graphs": 12, "data__recipe": {"points": 48}}
        argnp.fit(**given, **SMALL, output_dir=folder / "run")
    return request.param, folder / "run" / "report.html"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_and_works_without_a_complaint(
    browser: Any, run: tuple[str, Path], width: int, dark: bool
) -> None:
    kind, page = run
    browser.show(page, width=width, dark=dark)
    assert browser.run("return [document.documentElement.scrollWidth, innerWidth]") == [width] * 2
    last = browser.run("return Number(document.getElementById('step').max)")
    assert last > 0
    browser.run("document.getElementById('step').focus()")
    for step in range(1, last + 1):
        browser.press("ArrowRight")
        assert _step(browser) == step
        shown = "return [...document.querySelectorAll('[data-picture]')].filter(p => !p.hidden)"
        assert browser.run(f"{shown}.length") == 1
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    assert browser.console == []
    sections = browser.run("return [...document.querySelectorAll('main section')].map(s => s.id)")
    wanted = {"result", "architecture", "sizes", "growth", "curves", "predictions", "features"}
    assert wanted | {"explain", "data", "again"} <= set(sections)
    assert (browser.run("return document.querySelector('table.confusion') !== null")) is (
        kind != "molecules"
    )


def test_features_of_every_vertex_are_painted(browser: Any, run: tuple[str, Path]) -> None:
    browser.show(run[1])
    names = []
    vertices = browser.run("return Number(document.getElementById('view-vertex').max)") + 1
    browser.run("document.getElementById('view-vertex').focus()")
    for _ in range(vertices):
        browser.run("return new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
        assert browser.run(
            "const at = document.getElementById('view-node');"
            "const blank = Object.assign(document.createElement('canvas'),"
            " {width: at.width, height: at.height});"
            "return at.toDataURL() !== blank.toDataURL()"
        )
        names.append(browser.run("return document.getElementById('view-name').textContent"))
        browser.press("ArrowLeft")
    assert len(set(names)) == len(names) == 3  # the input, and two
    assert browser.console == []


def test_keys_reach_the_slider_and_play(browser: Any, run: tuple[str, Path]) -> None:
    browser.show(run[1])
    passed = []
    while "step" not in passed and len(passed) < 60:
        browser.press("Tab")
        passed.append(browser.run("return document.activeElement.id"))
        if passed[-1] == "step-play":
            browser.press("Enter")
            assert _within(5, lambda: _step(browser) > 0)
            browser.press("Enter")
            stopped = _step(browser)
    assert {"step-play", "step"} <= set(passed)
    last = browser.run("return Number(document.getElementById('step').max)")
    browser.press("ArrowRight")
    assert _step(browser) == min(stopped + 1, last)


def _step(browser: Any) -> int:
    return int(browser.run("return Number(document.getElementById('step').value)"))


def _within(seconds: float, happened: Any) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happened():
            return True
        time.sleep(0.05)
    return False
