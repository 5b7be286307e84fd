"""What a run's journal tells, put in order: searches with their rounds, trainings, tests.

Also of a run that is still going or was killed: whatever has not been said yet is None or empty.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from argnp.arch.codec import from_dict
from argnp.arch.graph import Architecture

Event = Mapping[str, Any]


@dataclass
class Round:
    """One round of a search: a supernet and how its mixture links were decided."""

    search: int
    number: int
    size: int
    start: Architecture | None = None
    end: Architecture | None = None
    parameters: int | None = None
    seconds: float | None = None
    peak_bytes: int | None = None
    epochs: list[Event] = field(default_factory=list)
    decisions: list[Event] = field(default_factory=list)


@dataclass
class Training:
    """One network of one architecture, trained from one seed."""

    search: int
    size: int
    seed: int
    parameters: int | None = None
    best_epoch: int | None = None
    metrics: Mapping[str, float | None] = field(default_factory=dict)  # of the validation set
    seconds: float | None = None
    peak_bytes: int | None = None
    epochs: list[Event] = field(default_factory=list)


@dataclass
class Record:
    """A run as its journal tells it."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)  # version, kernels, command, ...
    data: Mapping[str, Any] = field(default_factory=dict)  # of data.json
    plan: Event | None = None
    rounds: dict[tuple[int, int], Round] = field(default_factory=dict)
    trainings: dict[tuple[int, int, int], Training] = field(default_factory=dict)
    variants: dict[tuple[str, int, int, int], Training] = field(default_factory=dict)
    selected: Event | None = None
    tests: list[Event] = field(default_factory=list)
    cuts: list[str] = field(default_factory=list)  # of the plan, in words
    warnings: list[str] = field(default_factory=list)
    first: float | None = None
    started: float | None = None  # the last session
    last: float | None = None
    seconds: float | None = None  # of the last session, once the run has ended

    @property
    def searches(self) -> list[int]:
        return sorted({search for search, _ in self.rounds})

    def rounds_of(self, search: int) -> list[Round]:
        return [self.rounds[key] for key in sorted(self.rounds) if key[0] == search]

    @property
    def went_on(self) -> bool:
        """Whether something was done before the last session."""
        return self.first is not None and self.started is not None and self.first < self.started

    @property
    def worked(self) -> float:
        """Seconds of all epochs, in whatever session."""
        epochs = [event for part in self.rounds.values() for event in part.epochs]
        for training in (*self.trainings.values(), *self.variants.values()):
            epochs += training.epochs
        return sum(float(event.get("seconds") or 0.0) for event in epochs)

    @property
    def metric(self) -> str:
        """Name of the metric that decides; empty while nothing was said."""
        for told in (self.settings, self.data):
            named = told.get("metric")
            if isinstance(named, str) and named:
                return named
        values = [*self.tests, *({"metrics": t.metrics} for t in self.trainings.values())]
        return next((name for event in values for name in event.get("metrics") or {}), "")

    @property
    def higher_is_better(self) -> bool:
        told = self.settings.get("higher_is_better")
        return told if isinstance(told, bool) else self.metric not in ("mae", "rmse", "loss")

    @property
    def task(self) -> str:
        """As typed on the command line: ``graph-regression``; empty while nothing was said."""
        named = self.settings.get("task") or self.data.get("task")
        return named if isinstance(named, str) else ""

    @property
    def chosen_search(self) -> int | None:
        """The search the chosen model came from, else the first there is."""
        if self.selected is not None:
            return int(self.selected["search"])
        return self.searches[0] if self.searches else None

    def chosen_architecture(self) -> Architecture | None:
        """That of the chosen model, else the largest one that the search has settled."""
        search = self.chosen_search
        if search is None:
            return None
        size = self.selected["size"] if self.selected is not None else None
        settled = [r for r in self.rounds_of(search) if r.end is not None]
        exact = [r for r in settled if r.size == size]
        return (exact or settled)[-1].end if settled else None


def read_record(
    events: Iterable[Event], data: Mapping[str, Any], damage: Iterable[str] = ()
) -> Record:
    """Sort the events of a journal; one that cannot be understood becomes a warning."""
    record = Record(data=data, warnings=list(damage))
    for event in events:
        at = float(event.get("t") or 0.0)
        record.last = max(record.last or 0.0, at)
        record.first = at if record.first is None else min(record.first, at)
        try:
            _take(record, event)
        except (KeyError, TypeError, ValueError) as error:
            record.warnings.append(f"journal, event {event.get('event')}: {error}, passed over")
    return record


def _take(record: Record, event: Event) -> None:
    match event["event"]:
        case "run-start":
            record.settings = event["settings"]
            record.started = event["t"]
            record.seconds = None
            told = ("version", "kernels", "fingerprint", "command", "environment")
            record.about = {name: event[name] for name in told if event.get(name) is not None}
        case "plan":
            record.plan = event
        case "round-start" | "search-epoch" | "decision" | "round-end":
            _take_search(_round(record, event), event)
        case "train-start" | "train-epoch" | "train-end":
            _take_training(_training(record, event), event)
        case "selected":
            record.selected = event
        case "test":
            record.tests.append(event)
        case "cut":
            record.cuts.append(str(event["reason"]))
        case "warning":
            record.warnings.append(str(event["text"]))
        case "run-end":
            record.seconds = event["seconds"]


def _round(record: Record, event: Event) -> Round:
    key = (int(event["search"]), int(event["round"]))
    return record.rounds.setdefault(key, Round(*key, size=int(event.get("size", 0))))


def _training(record: Record, event: Event) -> Training:
    key = (int(event["search"]), int(event["size"]), int(event["seed"]))
    variant = str(event.get("variant") or "")
    if variant:
        return record.variants.setdefault((variant, *key), Training(*key))
    return record.trainings.setdefault(key, Training(*key))


def _take_search(entry: Round, event: Event) -> None:
    match event["event"]:
        case "round-start":
            entry.size = event["size"]
            entry.start = from_dict(event["architecture"])
            entry.parameters = event["parameters"]
        case "search-epoch":
            entry.epochs.append(event)
        case "decision":
            entry.decisions.append(event)
        case "round-end":
            entry.size = event["size"]
            entry.end = from_dict(event["architecture"])
            entry.seconds, entry.peak_bytes = event["seconds"], event["peak_bytes"]


def _take_training(entry: Training, event: Event) -> None:
    match event["event"]:
        case "train-start":
            entry.parameters = event["parameters"]
        case "train-epoch":
            entry.epochs.append(event)
        case "train-end":
            entry.best_epoch, entry.metrics = event["best_epoch"], event["metrics"]
            entry.seconds, entry.peak_bytes = event["seconds"], event["peak_bytes"]
