import re
import xml.etree.ElementTree as ET

from argnp.report.charts import Mark, Series, lines, scatter


def numbers(text: str) -> list[float]:
    return [float(value) for value in re.findall(r"-?\d+\.?\d*", text)]


def test_a_line_per_series_within_the_picture() -> None:
    points = [(float(n), 1 / (n + 1)) for n in range(40)]
    drawn = lines([Series("one", points, "a"), Series("two", points, "b")], "epoch", "loss")
    assert drawn is not None
    root = ET.fromstring(drawn)
    found = [e for e in root.iter("path") if (e.get("class") or "").startswith("line")]
    assert len(found) == 2
    xs, ys = numbers(found[0].get("d") or "")[::2], numbers(found[0].get("d") or "")[1::2]
    assert min(xs) >= 0
    assert max(xs) <= 420
    assert ys == sorted(ys)


def test_gaps_where_there_is_no_number() -> None:
    points = [(0.0, 1.0), (1.0, None), (2.0, float("nan")), (3.0, 2.0), (4.0, 1.0)]
    drawn = lines([Series("one", points, "a")], "epoch", "loss", [Mark(3, "here <b>")])
    assert drawn is not None
    (line,) = re.findall(r'class="line a" d="([^"]*)"', drawn)
    assert line.count("M") == 2
    assert "here &lt;b&gt;" in drawn


def test_one_point_is_a_dot() -> None:
    drawn = lines([Series("one", [(1.0, 2.0)], "a")], "epoch", "loss")
    assert drawn is not None
    assert "single" in drawn
    ET.fromstring(drawn)


def test_nothing_to_draw() -> None:
    assert lines([Series("one", [(1.0, None)], "a")], "epoch", "loss") is None
    assert scatter([], "x", "y") is None


def test_a_perfect_prediction_lies_on_the_diagonal() -> None:
    drawn = scatter([(v, v) for v in (-3.0, 0.0, 2.0)], "measured", "predicted")
    assert drawn is not None
    root = ET.fromstring(drawn)
    dots = [(float(c.get("cx") or 0), float(c.get("cy") or 0)) for c in root.iter("circle")]
    (a, b), (c, d), (e, f) = dots
    assert abs((c - a) * (f - b) - (e - a) * (d - b)) < 20


def test_epochs_are_marked_with_whole_numbers() -> None:
    drawn = lines([Series("one", [(n, n * 0.1) for n in (1, 2, 3, 4)], "a")], "epoch", "loss")
    assert drawn is not None
    under = re.findall(r'y="227" text-anchor="middle">([^<]*)<', drawn)
    assert under == ["1", "2", "3", "4"]


def test_extreme_ranges_still_have_axes() -> None:
    for value in (1e-12, 1e12):
        drawn = lines([Series("one", [(0.0, value), (1.0, 2 * value)], "a")], "epoch", "loss")
        assert drawn is not None
        assert drawn.count('class="grid"') > 4
