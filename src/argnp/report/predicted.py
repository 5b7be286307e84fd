"""Predictions against the truth: a scatter for numbers, the confusion matrix for classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from argnp.report.blocks import Chart, Table
from argnp.report.charts import scatter
from argnp.report.numbers import count, figure
from argnp.report.result import paired, sampled
from argnp.report.trust import mae, r2, rmse

_COLUMNS: Final = 6
_POINTS: Final = 1500
_ROWS: Final = 200


@dataclass(frozen=True)
class Cell:
    """A count with the share of its row that it is."""

    count: int
    share: float
    right: bool


@dataclass(frozen=True)
class Confusion:
    labels: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    recall: Sequence[str]


def scatters(predictions: Mapping[str, Any]) -> list[Chart]:
    """A chart per column, the first few of them."""
    if predictions["kind"] != "regression":
        return []
    charts = []
    for column in predictions["columns"][:_COLUMNS]:
        pairs = paired(column)
        stride = max(1, len(pairs) // _POINTS)
        drawn = scatter(pairs[::stride], "measured", "predicted")
        if drawn is None:
            continue
        told = (
            f"{column['name']}: MAE {figure(mae(pairs))}, RMSE {figure(rmse(pairs))}, "
            f"R² {figure(r2(pairs))}"
        )
        if sampled(predictions):
            told += f" of {count(len(pairs))} drawn at random from {count(predictions['of'])}"
        worst = sorted(pairs, key=lambda pair: -abs(pair[1] - pair[0]))[:_ROWS]
        rows = [[figure(t, 4), figure(p, 4), figure(p - t, 3)] for t, p in worst]
        caption = "Test examples, the largest errors first"
        if len(pairs) > _ROWS:
            caption += f" ({_ROWS} of {len(pairs)})"
        charts.append(Chart(told, drawn, Table(caption, ["Measured", "Predicted", "Error"], rows)))
    return charts


def by_label(predictions: Mapping[str, Any]) -> Table | None:
    """Of several labels at once: how often each was there, was told, and rightly so."""
    if predictions["kind"] != "multilabel":
        return None
    rows = []
    for label, ((tn, fp), (fn, tp)) in zip(
        predictions["labels"], predictions["confusions"], strict=True
    ):
        yes, told = tp + fn, tp + fp
        rows.append(
            [
                str(label),
                count(int(tn + fp + yes)),
                count(int(yes)),
                count(int(told)),
                f"{tp / yes:.0%}" if yes else "–",
                f"{tp / told:.0%}" if told else "–",
            ]
        )
    head = ["Label", "Known", "Yes", "Predicted yes", "Found (recall)", "Right (precision)"]
    return Table("Labels, at a probability of one half", head, rows)


def confusion(predictions: Mapping[str, Any]) -> Confusion | None:
    if predictions["kind"] != "classification":
        return None
    rows = []
    recalls = []
    for index, row in enumerate(predictions["confusion"]):
        total = sum(row)
        cells = [
            Cell(int(n), n / total if total else 0.0, column == index)
            for column, n in enumerate(row)
        ]
        rows.append(cells)
        recalls.append(f"{cells[index].share:.0%}" if total else "–")
    return Confusion([str(label) for label in predictions["labels"]], rows, recalls)
