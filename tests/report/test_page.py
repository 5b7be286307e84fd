import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from argnp.errors import UserError
from argnp.report.page import render, write_report
from argnp.runs.journal import Journal

_VOID = {"meta", "link", "input", "br", "img"}


class Outline(HTMLParser):
    """Ids, links and open elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [told["href"] or ""] if tag == "a" else []
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def seen(text: str) -> str:
    """The words of a page, scripts left out."""
    bare = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", text, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", bare))


def test_the_whole_report(make_run: Any, extras: dict[str, Any]) -> None:
    run = make_run(8, extras=extras)
    path = write_report(run)
    assert path == run / "report.html"
    text = path.read_text()
    words = seen(text)
    for heading in (
        "Result", "Architecture", "Sizes", "How the network grew", "Curves",
        "Predictions and truth", "What mattered", "What the vertices see", "Data", "Run it again",
    ):  # fmt: skip
        assert heading in words
    assert "RMSE 0.650" in words
    assert "95% bootstrap interval over the 113 test examples" in words
    assert "argnp fit esol.csv --size 8" in words
    assert "search.w_lr" in words
    assert "8 (chosen)" in words
    assert "Chosen: lowest validation rmse." in words
    assert words.index("&lt;no molecule&gt;, dropped") < words.index("How it was read")


def test_it_is_self_contained_and_well_formed(make_run: Any, extras: dict[str, Any]) -> None:
    text = render(make_run(4, extras=extras))
    outline = Outline(text)
    assert outline.open == []
    assert len(outline.ids) == len(set(outline.ids))
    assert all(link.startswith("#") and link[1:] in outline.ids for link in outline.links)
    without_names = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.findall(r"https?:|@import|url\(|src=", without_names)
    assert not re.findall(r"\b(fetch|XMLHttpRequest|import)\(", text)


def test_charts_have_their_numbers_beside_them(make_run: Any) -> None:
    text = render(make_run(2))
    assert text.count('class="chart"') == text.count("<summary>The numbers</summary>") == 3


def test_nothing_from_the_data_becomes_markup(make_run: Any, extras: dict[str, Any]) -> None:
    bad = "</script><script>alert(1)</script>"
    explain = json.loads(json.dumps(extras["explain"]))
    explain["examples"][0]["title"] = bad
    explain["examples"][0]["labels"][0] = bad
    features = json.loads(json.dumps(extras["features"]))
    features["examples"][0]["title"] = bad
    data = {"name": bad, "notes": [bad], bad: bad}
    text = render(make_run(2, extras={"explain": explain, "features": features}, data=data))
    assert "alert(1)</script>" not in text
    assert text.count("<script") == 3


def test_several_searches_and_seeds_are_told_apart(make_run: Any) -> None:
    words = seen(render(make_run(4, searches=3, seeds=2)))
    assert "mean of 6" in words
    assert "6 trainings of 3 searched architectures" in words
    assert "Between architectures" in words
    assert "Between seeds of one architecture" in words
    assert "bootstrap" not in words


def test_an_interval_for_accuracy_on_graphs_but_not_on_nodes(make_run: Any) -> None:
    run = make_run(2)
    journal = run / "journal.jsonl"
    journal.write_text(journal.read_text().replace("rmse", "accuracy"))
    told = {"graph": "Wilson", "node": "No interval"}
    for level, expected in told.items():
        (run / "data.json").write_text(json.dumps({"task": f"{level}-classification"}))
        assert expected in seen(render(run))


def test_predictions_of_another_model_give_no_interval(
    make_run: Any, extras: dict[str, Any]
) -> None:
    other = json.loads(json.dumps(extras["predictions"]))
    column = other["columns"][0]
    column["prediction"] = [value + 1 for value in column["prediction"]]
    assert "bootstrap" not in seen(render(make_run(2, extras={"predictions": other})))


def test_classes_give_a_confusion_matrix(make_run: Any) -> None:
    value = {"kind": "classification", "labels": ["no", "yes"], "confusion": [[50, 3], [0, 0]]}
    text = render(make_run(2, extras={"predictions": value}))
    assert "94%" in text
    assert 'class="n wrong" style="--share:0.057">3</td>' in text


def test_a_search_in_progress(make_run: Any) -> None:
    run = make_run(4, finished=False)
    words = seen(render(run))
    assert "Not finished" in words
    assert "No network has been trained to its end yet" in words
    assert "How the network grew" in words


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_run_that_was_killed_anywhere(make_run: Any, share: float) -> None:
    run = make_run(4, seeds=2)
    journal = run / "journal.jsonl"
    content = journal.read_bytes()
    journal.write_bytes(content[: int(share * len(content))])
    outline = Outline(write_report(run).read_text())
    assert outline.open == []


def test_a_damaged_line_is_told(make_run: Any) -> None:
    run = make_run(2)
    journal = run / "journal.jsonl"
    first, _, rest = journal.read_text().partition("\n")
    journal.write_text(f"{first}\n{{torn\n{rest}")
    assert "journal.jsonl, line 2: damaged" in seen(render(run))


def test_a_misshapen_file_is_told(make_run: Any) -> None:
    assert "report/explain.json is left out" in seen(render(make_run(2, extras={"explain": []})))


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema": {"deep": [1, {"a": null}]}}'])
def test_any_data_json(make_run: Any, content: str) -> None:
    run = make_run(2)
    (run / "data.json").write_text(content)
    assert "Run it again" in seen(render(run))


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"journal\.jsonl is not there"):
        write_report(tmp_path)


def test_random_decisions_without_epochs(make_run: Any) -> None:
    run = make_run(4)
    journal = run / "journal.jsonl"
    kept = [
        line
        for line in journal.read_text().splitlines(keepends=True)
        if json.loads(line)["event"] not in ("search-epoch", "decision")
    ]
    journal.write_text("".join(kept))
    words = seen(render(run))
    assert "How the network grew" in words
    assert "All decisions" not in words


def test_a_plan_may_count_vertices_of_a_cell(make_run: Any) -> None:
    run = make_run(2)
    journal = run / "journal.jsonl"
    journal.write_text(journal.read_text().replace('{"size":2,"epochs"', '{"vertices":2,"epochs"'))
    assert "search to 2 vertices 25 epochs" in seen(render(run))
    journal.write_text(
        journal.read_text().replace('{"vertices":2,"epochs":25', '{"vertices":2,"epochs":0')
    )
    assert "search to 2 vertices by lot" in seen(render(run))


def test_the_same_run_gives_the_same_page(make_run: Any, extras: dict[str, Any]) -> None:
    run = make_run(4, extras=extras)
    assert render(run) == render(run)


def test_no_torch_is_needed() -> None:
    import subprocess
    import sys

    code = (
        "import sys, argnp.report.page, argnp.report.png, argnp.report.text;"
        "assert not {'torch', 'numpy', 'jinja2'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_labels_have_a_table_of_their_own(make_run: Any) -> None:
    value = {"kind": "multilabel", "labels": ["toxic"], "confusions": [[[50, 3], [1, 9]]]}
    page = render(make_run(2, extras={"predictions": value}))
    assert "Labels, at a probability of one half" in page
    for told in (">63<", ">10<", ">12<", "90%", "75%"):
        assert told in page


def test_a_sample_of_predictions_is_called_so(make_run: Any, extras: dict[str, Any]) -> None:
    whole = extras["predictions"]
    assert "drawn at random" not in render(make_run(2, extras={"predictions": whole | {"of": 113}}))
    page = render(make_run(2, extras={"predictions": whole | {"of": 9000}}))
    assert "of 113 drawn at random from 9\u2009000" in page
    assert "bootstrap" not in page


@pytest.mark.parametrize(
    ("networks", "told"),
    [(1, "One search and one training:"), (3, "One search and 3 trainings that predict as one:")],
)
def test_an_ensemble_is_not_called_one_training(tmp_path: Path, networks: int, told: str) -> None:
    with Journal(tmp_path / "journal.jsonl") as journal:
        about = {"fingerprint": "8d1f", "kernels": "torch", "version": "0.1.0"}
        journal.append("run-start", settings={"metric": "mae"}, **about)
        labels = {"search": 0, "size": 2, "seed": 0}
        journal.append("selected", **labels, rule="the only one")
        journal.append("test", **labels, metrics={"mae": 0.5}, count=9, networks=networks)
    assert told in render(tmp_path)
