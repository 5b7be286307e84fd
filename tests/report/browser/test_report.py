"""The report as people meet it: in Chromium, wide and narrow, light and dark."""

import json
from pathlib import Path
from typing import Any

import pytest

from argnp.report.page import write_report


@pytest.fixture(scope="module")
def page(make_run: Any, extras: dict[str, Any]) -> Path:
    return write_report(make_run(8, extras=extras))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_the_window_and_the_console_is_quiet(
    browser: Any, page: Path, width: int, dark: bool
) -> None:
    browser.show(page, width=width, dark=dark)
    assert browser.run("return [document.documentElement.scrollWidth, innerWidth]") == [width] * 2
    assert browser.console == []
    ground = browser.run("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, ground[4:-1].split(","))) < 120) is dark


def test_nothing_is_loaded_from_elsewhere(browser: Any, page: Path) -> None:
    browser.show(page)
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def step(browser: Any) -> tuple[int, str, list[str]]:
    at, title, pictures = browser.run(
        "return [Number(document.getElementById('step').value),"
        "document.getElementById('step-title').textContent,"
        "[...document.querySelectorAll('[data-picture]')].filter(p => !p.hidden)"
        ".map(p => p.dataset.picture)]"
    )
    return at, title, pictures


def test_the_slider_goes_from_the_first_round_to_the_last(browser: Any, page: Path) -> None:
    browser.show(page)
    assert step(browser)[2] == ["round-1-start"]
    browser.run("document.getElementById('step').focus()")
    browser.press("ArrowRight")
    at, title, _ = step(browser)
    assert at == 1
    assert "epoch 3" in title
    assert browser.run("return document.querySelectorAll('#alphas .took').length") == 2
    assert (
        browser.run("return document.querySelectorAll('[data-state=fresh][data-link]').length") == 2
    )
    browser.press("End")
    assert step(browser)[2] == ["round-3-end"]
    assert browser.run("return document.getElementById('step').getAttribute('aria-valuetext')")


def test_every_step_shows_one_picture_and_complaints_are_none(browser: Any, page: Path) -> None:
    browser.show(page)
    last = browser.run("return Number(document.getElementById('step').max)")
    for _ in range(last):
        browser.run("document.getElementById('step-on').click()")
        assert len(step(browser)[2]) == 1
    assert step(browser)[0] == last
    assert browser.console == []


def test_links_are_marked_and_unmarked(browser: Any, page: Path) -> None:
    browser.show(page)
    pills = (
        "return [...document.querySelectorAll('[data-picture=round-1-start] g[data-link]')]"
        ".map(g => [...g.querySelectorAll('text')].at(-1).textContent)"
    )
    assert set(browser.run(pills)) == {"mixture"}
    for _ in range(4):
        browser.run("document.getElementById('step-on').click()")
    assert len(set(browser.run(pills))) > 1
    pruned = "return document.querySelectorAll('g[data-state=pruned]').length"
    assert browser.run(pruned) == 2
    for _ in range(4):
        browser.run("document.getElementById('step-back').click()")
    assert set(browser.run(pills)) == {"mixture"}
    assert browser.run(pruned) == 0


def test_alphas_that_say_little_are_called_so(browser: Any, make_run: Any) -> None:
    run = make_run(2)
    journal = run / "journal.jsonl"
    events = [json.loads(line) for line in journal.read_text().splitlines()]
    for event in events:
        for rows in event.get("alphas", {}).values():
            for row in rows:
                row[2] = [0.1254, 0.1246, *[0.125] * 6]
    journal.write_text("".join(json.dumps(event) + "\n" for event in events))
    browser.show(write_report(run))
    browser.run("document.getElementById('step-on').click()")
    told = browser.run("return document.getElementById('alphas').textContent")
    assert "Nearly even" in told
    assert "12.54%" in told


def test_it_plays_and_pauses(browser: Any, page: Path) -> None:
    browser.show(page)
    pressed = "return document.getElementById('step-play').getAttribute('aria-pressed')"
    browser.run("document.getElementById('step-play').click()")
    assert browser.run(pressed) == "true"
    browser.run("document.getElementById('step-play').click()")
    assert browser.run(pressed) == "false"


def test_features_are_painted_and_turn(browser: Any, page: Path) -> None:
    browser.show(page)
    painted = "return document.getElementById('view-node').toDataURL().length"
    wait = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    browser.run(wait)
    before = browser.run("return document.getElementById('view-node').toDataURL()")
    assert browser.run(painted) > 2000
    browser.run("document.getElementById('view-node').focus({preventScroll: true})")
    browser.press("ArrowRight")
    browser.run(wait)
    assert browser.run("return document.getElementById('view-node').toDataURL()") != before
    assert browser.run("return document.getElementById('view-name').textContent") == "V_4/E_4"


def test_everything_that_acts_has_a_name_and_takes_the_keyboard(browser: Any, page: Path) -> None:
    browser.show(page)
    nameless = browser.run(
        "return [...document.querySelectorAll('button,input,select,canvas,[tabindex],summary')]"
        ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()"
        " || e.labels?.length)).map(e => e.outerHTML)"
    )
    assert nameless == []
    browser.press("Tab")
    assert browser.run("return document.activeElement.textContent") == "To the content"


def contrast(browser: Any, selector: str) -> float:
    """Of an element's text against its card, by the WCAG's formula."""
    return float(
        browser.run(
            "const at = document.querySelector('" + selector + "');"
            "const rgb = c => c.match(/[0-9.]+/g).slice(0, 3).map(Number).map(v => {"
            " v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });"
            "const light = c => { const [r, g, b] = rgb(c);"
            " return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
            "const a = light(getComputedStyle(at).color);"
            "const b = light(getComputedStyle(at.closest('.card')).backgroundColor);"
            "return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);"
        )
    )


@pytest.mark.parametrize("dark", [False, True])
def test_words_stand_out_from_their_ground(browser: Any, page: Path, dark: bool) -> None:
    browser.show(page, dark=dark)
    browser.run("document.getElementById('step-on').click()")
    for selector in ("h2", ".caption", ".of", ".bars.node h4", ".bars.relation h4", "summary"):
        assert contrast(browser, selector) >= 4.5, selector


@pytest.mark.parametrize("width", [1280, 390])
def test_a_partial_report_is_quiet_too(browser: Any, make_run: Any, width: int) -> None:
    browser.show(write_report(make_run(4, finished=False)), width=width)
    assert browser.console == []
    assert browser.run("return document.documentElement.scrollWidth") == width
