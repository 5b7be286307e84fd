"""Keeps a run within its time budget while it runs, and knows how long it will still take."""

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from argnp.train.observer import Observer
from argnp.train.pace import Labels
from argnp.workflows.cuts import Cut, name_of
from argnp.workflows.parts import Key, Part, key_of, labels_of, optional
from argnp.workflows.progress import STARTS, Progress

_RESERVE = 0.5  # of what the required parts to come need: kept for them by a part that is running


class Budget:
    """The parts of a run against the clock, which may cut, as a last resort, and nothing else.

    A training that a run can do without is left out where it does not fit any more; a part that
    is running ends early where going on would break the budget. Each cut is journaled, so that a
    run that goes on keeps it, and so does one that takes over the plan. ``seconds`` may be
    infinite; ``began`` is when they began to count; ``cuts`` come with the plan.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        *,
        seconds: float,
        began: float,
        measured: bool,
        observer: Observer,
        cuts: Iterable[Cut] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.progress = Progress(parts)
        self.seconds = seconds
        self.began = began
        self.measured = measured
        self.observer = observer
        self.clock = clock
        self.cuts = {cut.key: cut.epochs for cut in cuts}
        self._why = dict.fromkeys(self.cuts, "as in the plan that was given")
        self._told: set[Key] = set()
        self._before = 0.0  # seconds of epochs that were done before this process, and not again

    def replay(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Take over what the journal of the run says. Work done before counts as time spent."""
        # Starts first: they tell which architecture a member or a variant is of, and one that was
        # said again stands behind the epochs that followed it.
        for event in sorted(events, key=lambda event: event["event"] not in STARTS):
            self.saw(event["event"], event)
            if event["event"] == "cut":
                key = key_of(labels_of(event))
                self.cuts[key] = event["epochs"]
                self._told.add(key)
        self._before = self.progress.worked

    def saw(self, event: str, fields: Mapping[str, Any]) -> None:
        """Follow the run by its events. What an interruption makes it do again, it does for free:
        otherwise a run that was killed would be cut where an undisturbed one is not."""
        self._before -= self.progress.saw(event, fields)

    def skips(self, labels: Labels) -> bool:
        """Whether this training is left out: it can be, and would not fit before the deadline."""
        key, part = key_of(labels), self.progress.found(labels)
        if part is not None and not part.begun and key not in self.cuts and optional(labels):
            to_come = sum(self._time(other) for other in self.progress.required())
            if self._room() < self._time(part) + to_come:
                self._cut(key, 0, "because the time budget has no room for it")
        if self.cuts.get(key) != 0:
            return False
        if part is not None:
            part.ended = True
        self._tell(labels, "left out")
        return True

    def ends(self, labels: Labels, done: int, seconds: float) -> bool:
        """Whether to end here: a cut was made here before, or another epoch is one too many."""
        key, part = key_of(labels), self.progress.parts.get(key_of(labels))
        if key not in self.cuts:
            if part is not None and done in part.seconds:
                return False  # the next one was done before, and is in the journal
            # An epoch of each of them at the least.
            to_come = sum(
                max(_RESERVE * self._time(other), self.progress.cost(other))
                for other in self.progress.required()
            )
            if self._room() >= seconds + to_come:
                return False
            self._cut(key, done, "because the time budget is used up")
        if done < self.cuts[key]:
            return False
        planned = f" of {part.epochs}" if part else ""
        self._tell(labels, f"ended after {done}{planned} epochs")
        return True

    def left(self) -> float | None:
        """Seconds that the run will still take, if anything is known about that."""
        if not self.measured and not self.progress.worked:
            return None
        needed = sum(self._time(part) for part in self.progress.parts.values())
        return min(needed, max(self._room(), 0.0))

    def _room(self) -> float:
        return self.seconds - self._before - (self.clock() - self.began)

    def _time(self, part: Part) -> float:
        """Seconds that it still takes."""
        most = self.cuts.get(key_of(part.labels), part.epochs)
        return self.progress.cost(part) * min(part.left, max(most - len(part.seconds), 0))

    def _cut(self, key: Key, epochs: int, why: str) -> None:
        self.cuts[key], self._why[key] = epochs, why

    def _tell(self, labels: Labels, what: str) -> None:
        key = key_of(labels)
        if key in self._told:
            return
        self._told.add(key)
        self.observer.event(
            "cut",
            **labels,
            epochs=self.cuts[key],
            reason=f"{name_of(labels)}: {what}, {self._why[key]}",
        )
