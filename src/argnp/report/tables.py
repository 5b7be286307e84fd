"""The table of sizes: what every size reached, and what it cost."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from argnp.report.blocks import Table
from argnp.report.growth import Decided
from argnp.report.numbers import count, duration, figure, size_in_bytes
from argnp.report.record import Record, Training
from argnp.report.result import shown_metric, value_of


def sizes(record: Record, packaged: Mapping[str, Any] | None = None) -> Table | None:
    """A row per size; means and standard deviations over searches and seeds where several.

    Below it, a row per variant of its widths and regularisation, and one of the networks that
    predict as one; ``packaged``: what these reached on the validation set.
    """
    found = sorted({t.size for t in record.trainings.values()} | _searched(record))
    if not found:
        return None
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
    selected = record.selected or {}
    chosen = (selected.get("size"), str(selected.get("variant") or ""))
    rows: list[list[str]] = []
    strong = set()
    for size in found:
        for variant in ("", *_variants(record, size)):
            if (size, variant) == chosen:
                strong.add(len(rows))
            rows.append(_row(record, size, variant, chosen=(size, variant) == chosen))
            if (size, variant) == chosen and _together(record):
                strong.add(len(rows))
                rows.append(_row_of_ensemble(record, size, variant, packaged or {}))
    return Table(
        caption="Every size on the way. Times are of one search up to that size and of one "
        "training, on average.",
        head=head,
        rows=rows,
        strong=frozenset(strong),
    )


def _variants(record: Record, size: int) -> list[str]:
    return list(dict.fromkeys(name for name, _, n, _ in record.variants if n == size))


def _trainings(record: Record, size: int, variant: str) -> list[Training]:
    if not variant:
        return [t for t in record.trainings.values() if t.size == size]
    return [t for (name, _, n, _), t in record.variants.items() if (name, n) == (variant, size)]


def _together(record: Record) -> int:
    """Networks that were tested as one; 0 where one was tested by itself."""
    count = max((event.get("networks") or 1 for event in record.tests), default=1)
    return int(count) if count > 1 else 0


def _row_of_ensemble(
    record: Record, size: int, variant: str, packaged: Mapping[str, Any]
) -> list[str]:
    networks = _together(record)
    each = sorted(_trainings(record, size, variant), key=lambda t: t.seed)[:networks]
    known = [t.parameters for t in each if t.parameters is not None]
    tests = [value_of(event, record.metric) for event in record.tests if event["size"] == size]
    return [
        f"{_name(size, variant)}: {networks} as one",
        figure(value_of({"metrics": packaged}, record.metric)),
        _mean(tests),
        count(sum(known)) if len(known) == networks else "–",
        "–",
        duration(sum(t.seconds or 0.0 for t in each) or None),
        str(len(each)),
        "–",
    ]


def _name(size: int, variant: str) -> str:
    return f"{size}, {variant}" if variant else str(size)


def _searched(record: Record) -> set[int]:
    return {entry.size for entry in record.rounds.values() if entry.end is not None}


def _row(record: Record, size: int, variant: str, *, chosen: bool) -> list[str]:
    trainings = _trainings(record, size, variant)
    done = [t for t in trainings if t.metrics]
    validation = [value_of({"metrics": t.metrics}, record.metric) for t in done]
    # What was tested is the chosen variant, alone or as one of several.
    own = chosen or record.selected is None or record.selected["size"] != size
    tests = [value_of(event, record.metric) for event in record.tests if event["size"] == size]
    return [
        _name(size, variant) + (" (chosen)" if chosen else ""),
        _mean(validation),
        _mean(tests if own and not _together(record) else []),
        _parameters(trainings),
        "–" if variant else duration(_search_seconds(record, size)),
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
