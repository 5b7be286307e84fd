"""The headline: the result of the chosen network, and how far it can be trusted."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose, isfinite
from typing import Any, Final

from argnp.report.numbers import count, figure
from argnp.report.record import Event, Record
from argnp.report.trust import Interval, bootstrap, spread, wilson

_SAME: Final = 0.01  # by which the kept predictions' metric may differ from the journal's

_CAUTIONS: Final = (
    "Not a promise for data of another origin: it holds for data like the test set.",
    "Not the error of a single prediction, which may be far larger or smaller.",
    "One split of the data: other splits give other numbers.",
)


@dataclass(frozen=True)
class Result:
    """``value`` with what it is of; sentences say what it rests on, and what it is not."""

    metric: str
    value: str
    spread: str  # its standard deviation, empty for a single result
    of: str
    direction: str
    others: list[tuple[str, str]]
    rests_on: list[str]
    is_not: list[str]


def result(record: Record, predictions: Mapping[str, Any] | None) -> Result | None:
    """From the test set; from the validation set while there is no test; None before both."""
    tests = _of_chosen_size(record)
    if tests:
        return _tested(record, tests, predictions)
    return _validated(record)


def shown_metric(name: str) -> str:
    """Metrics as people write them."""
    known = {"r2": "R²", "f1": "F1", "roc_auc": "ROC-AUC", "mae": "MAE", "rmse": "RMSE"}
    return known.get(name, name[:1].upper() + name[1:].replace("_", " "))


def value_of(event: Event | None, metric: str) -> float | None:
    value = ((event or {}).get("metrics") or {}).get(metric)
    return float(value) if isinstance(value, (int, float)) and isfinite(value) else None


def _of_chosen_size(record: Record) -> list[Event]:
    if record.selected is None:
        return record.tests[-1:]
    return [event for event in record.tests if event["size"] == record.selected["size"]]


def _tested(record: Record, tests: list[Event], predictions: Mapping[str, Any] | None) -> Result:
    metric = record.metric
    values = {
        (int(event["search"]), int(event["seed"])): value
        for event in tests
        if (value := value_of(event, metric)) is not None
    }
    examples = next((e["count"] for e in tests if isinstance(e.get("count"), int)), None)
    rests_on = [f"{count(examples)} test examples, read once, after everything was chosen."]
    if examples is None:
        rests_on = ["The test set was read once, after everything was chosen."]
    told = spread(values) if values else None
    several = told is not None and told["all"] is not None
    interval = _interval(record, tests, values, examples, predictions)
    if interval is not None:
        low, high = figure(interval.low), figure(interval.high)
        rests_on.append(f"{low} to {high}: {interval.how}.")
    elif not several:
        rests_on.append(
            "No interval: none can be computed for this metric and task from what the run kept."
        )
    together = max((e.get("networks") or 1 for e in tests), default=1)
    rests_on += _spreads(told, metric, together)
    if several and record.selected is not None:
        own = values.get((int(record.selected["search"]), int(record.selected["seed"])))
        rests_on.append(f"The chosen network's own value: {figure(own)}.")
    others = [
        (shown_metric(name), figure(value))
        for name in tests[0]["metrics"]
        if name != metric and (value := value_of(tests[0], name)) is not None
    ]
    return Result(
        metric=shown_metric(metric),
        value=figure(told["mean"]) if told else "–",
        spread=figure(told["all"], 2) if told and several else "",
        of="on the test set" + (f", mean of {told['trainings']}" if told and several else ""),
        direction=_direction(record),
        others=others if len(tests) == 1 else [],
        rests_on=rests_on,
        is_not=list(_CAUTIONS),
    )


def _validated(record: Record) -> Result | None:
    metric = record.metric
    values = [
        value
        for training in (*record.trainings.values(), *record.variants.values())
        if (value := value_of({"metrics": training.metrics}, metric)) is not None
    ]
    if not values:
        return None
    best = max(values) if record.higher_is_better else min(values)
    return Result(
        metric=shown_metric(metric),
        value=figure(best),
        spread="",
        of="on the validation set, the best so far",
        direction=_direction(record),
        others=[],
        rests_on=[f"The best of {len(values)} finished trainings."],
        is_not=[
            "Not a test result: the best of several values on the set they were chosen on "
            "is rosier than new data will be."
        ],
    )


def _interval(
    record: Record,
    tests: list[Event],
    values: Mapping[tuple[int, int], float],
    examples: int | None,
    predictions: Mapping[str, Any] | None,
) -> Interval | None:
    """For graphs only: nodes and edges of one graph are no independent examples."""
    if not record.task.startswith("graph") or len(values) != 1 or not examples:
        return None
    value = next(iter(values.values()))
    if record.metric == "accuracy" and 0 <= value <= 1:
        return wilson(value, examples)
    columns = (predictions or {}).get("columns") or []
    if len(columns) != 1 or len(tests) != 1 or sampled(predictions or {}):
        return None
    pairs = paired(columns[0])
    found = bootstrap(record.metric, pairs)
    fits = found is not None and isclose(found.value, value, rel_tol=_SAME)
    return found.interval if found is not None and fits else None


def paired(column: Mapping[str, Any]) -> list[tuple[float, float]]:
    """Truths that are there, with their predictions."""
    return [
        (t, p)
        for t, p in zip(column["truth"], column["prediction"], strict=True)
        if t is not None and p is not None and isfinite(t) and isfinite(p)
    ]


def sampled(predictions: Mapping[str, Any]) -> bool:
    """Whether the file holds only some of the test set's predictions."""
    rows = max((len(column["truth"]) for column in predictions.get("columns") or []), default=0)
    of = predictions.get("of")
    return isinstance(of, int) and of > rows


def _spreads(told: Mapping[str, Any] | None, metric: str, together: int) -> list[str]:
    """``together``: trainings whose mean is the one prediction that was tested."""
    if told is None or told["trainings"] == 1:
        trainings = f"{together} trainings that predict as one" if together > 1 else "one training"
        return [
            f"One search and {trainings}: how much luck was in it is not known; "
            "more searches and seeds would tell."
        ]
    lines = [
        f"{told['trainings']} trainings of {told['searches']} searched "
        f"architecture{'s' if told['searches'] > 1 else ''}; ± is their standard deviation."
    ]
    if told["architectures"] is not None:
        lines.append(
            f"Between architectures (means of each) {shown_metric(metric)} varies by "
            f"{figure(told['architectures'], 2)}."
        )
    if told["seeds"] is not None:
        lines.append(f"Between seeds of one architecture it varies by {figure(told['seeds'], 2)}.")
    return lines


def _direction(record: Record) -> str:
    return "higher is better" if record.higher_is_better else "lower is better"
