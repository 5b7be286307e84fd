"""The table of sizes: what every size reached, and what it cost."""

from collections.abc import Sequence
from statistics import fmean, stdev

from argnp.report.blocks import Table
from argnp.report.growth import Decided
from argnp.report.numbers import count, duration, figure, size_in_bytes
from argnp.report.record import Record, Training
from argnp.report.result import shown_metric, value_of


def sizes(record: Record) -> Table | None:
    """A row per size; means and standard deviations over searches and seeds where several."""
    found = sorted({t.size for t in record.trainings.values()} | _searched(record))
    if not found:
        return None
    chosen = record.selected["size"] if record.selected is not None else None
    metric = shown_metric(record.metric)
    head = [
        "Size",
        f"{metric}, validation",
        f"{metric}, test",
        "Parameters",
        "Search",
        "Training",
        "Trainings",
        "Peak memory",
    ]
    return Table(
        caption="Every size on the way. Times are of one search up to that size and of one "
        "training, on average.",
        head=head,
        rows=[_row(record, size, chosen=size == chosen) for size in found],
        strong=frozenset(i for i, size in enumerate(found) if size == chosen),
    )


def _searched(record: Record) -> set[int]:
    return {entry.size for entry in record.rounds.values() if entry.end is not None}


def _row(record: Record, size: int, *, chosen: bool) -> list[str]:
    trainings = [t for t in record.trainings.values() if t.size == size]
    done = [t for t in trainings if t.metrics]
    tests = [value_of(event, record.metric) for event in record.tests if event["size"] == size]
    validation = [value_of({"metrics": t.metrics}, record.metric) for t in done]
    return [
        f"{size} (chosen)" if chosen else str(size),
        _mean(validation),
        _mean(tests),
        _parameters(trainings),
        duration(_search_seconds(record, size)),
        duration(_average([t.seconds for t in done])),
        str(len(done)) if done else "–",
        size_in_bytes(max((t.peak_bytes or 0 for t in done), default=0) or None),
    ]


def _parameters(trainings: list[Training]) -> str:
    known = sorted({t.parameters for t in trainings if t.parameters is not None})
    if not known:
        return "–"
    return count(known[0]) if len(known) == 1 else f"{count(known[0])} to {count(known[-1])}"


def _search_seconds(record: Record, size: int) -> float | None:
    """A search up to and including the round of this size."""
    totals = []
    for search in record.searches:
        rounds = [r for r in record.rounds_of(search) if 0 < r.size <= size]
        if rounds and all(r.seconds is not None for r in rounds) and rounds[-1].size == size:
            totals.append(sum(r.seconds or 0.0 for r in rounds))
    return _average(totals)


def _mean(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    spread = f" ± {figure(stdev(known), 2)}" if len(known) > 1 else ""
    return figure(fmean(known)) + spread


def _average(values: list[float] | list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def decisions_table(decisions: Sequence[Decided]) -> Table:
    """Every decision of the chosen search, in order."""
    head = ["Round", "Size", "Epoch", "Link", "Operation", "Share", "Score"]
    rows = [
        [
            str(one.round),
            str(one.size),
            str(one.epoch),
            one.link,
            one.operation,
            figure(one.share, 4),
            figure(one.score, 2),
        ]
        for one in decisions
    ]
    return Table("Decisions, in order", head, rows, words=frozenset({3, 4}))
