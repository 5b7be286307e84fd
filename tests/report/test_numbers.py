import pytest
from hypothesis import given
from hypothesis import strategies as st

from argnp.report.numbers import count, duration, figure, size_in_bytes, ticks


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.71234, "0.712"),
        (12345.6, "12346"),
        (-2.5, "−2.50"),
        (0, "0"),
        (None, "–"),
        (float("nan"), "–"),
        (1.5e-9, "1.50e-09"),
        (0.025, "0.0250"),
    ],
)
def test_figures(value: object, text: str) -> None:
    assert figure(value) == text


def test_other_measures() -> None:
    assert count(152000) == "152\u2009000"
    assert count(None) == "–"
    assert [duration(s) for s in (3.14, 75, 300, 4000, None)] == [
        "3.1 s", "75 s", "5 min", "1 h 07 min", "–",
    ]  # fmt: skip
    assert [size_in_bytes(b) for b in (12, 350e6, 2.5e9, None)] == ["12 B", "350 MB", "2.5 GB", "–"]


finite = st.floats(-1e6, 1e6)


@given(finite, finite)
def test_ticks_cover_the_range_in_even_steps(a: float, b: float) -> None:
    low, high = min(a, b), max(a, b)
    if high - low < 1e-3:
        high = low + 1e-3
    marks = ticks(low, high)
    slack = (marks[1] - marks[0]) * 1e-6
    assert marks[0] <= low + slack
    assert marks[-1] >= high - slack
    assert 2 <= len(marks) <= 12


def test_ticks_of_a_single_value() -> None:
    assert len(ticks(3.0, 3.0)) > 1
