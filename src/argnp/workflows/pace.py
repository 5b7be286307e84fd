"""Keeps a run within its time budget while it runs, and knows how long it will still take."""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from argnp.proliferate.rounds import RoundPlan
from argnp.train.observer import Observer
from argnp.train.pace import Labels
from argnp.workflows.console import duration
from argnp.workflows.parts import Part, key_of

_AIM = 0.9  # of the time left, what a shortened plan is made for
_FINISHING = 3.0  # seconds for the test, the model and the report, at most a tenth of all
_RESERVE = 0.5  # of what the parts to come need: kept for them by a part that is late
_WORTH = 1.25  # times the epochs that are planned: what has to fit before a plan is lengthened
_FAST = 0.8  # of the seconds estimated: what epochs have to take for that


class Budget:
    """The parts of a run against the clock.

    Parts that have not begun are shortened when the run would be late, and get back what an
    estimate took from them when it turns out to have been too long. A part that has begun keeps
    its epochs, so that a run that goes on does what it did before; as a last resort it ends
    early. ``seconds`` may be infinite; ``began`` is when they began to count.
    """

    def __init__(
        self,
        rounds: Iterable[RoundPlan],
        parts: Iterable[Part],
        *,
        seconds: float,
        began: float,
        measured: bool,
        observer: Observer,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rounds = list(rounds)
        self.parts = {key_of(part.labels): part for part in parts}
        self.seconds = seconds - min(_FINISHING, 0.1 * seconds)
        self.began = began
        self.measured = measured
        self.observer = observer
        self.clock = clock
        self.attempts = 0

    def replay(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Take over what the journal of the run says. Work done before counts as time spent."""
        for event in events:
            self.saw(event["event"], event)
            if event["event"] == "plan" and "parts" in event:
                self.attempts = max(self.attempts, event["attempt"])
                for planned in event["parts"]:
                    labels = {k: v for k, v in planned.items() if k != "epochs"}
                    if key_of(labels) in self.parts:
                        self.parts[key_of(labels)].epochs = planned["epochs"]
        self.seconds -= sum(sum(part.seconds.values()) for part in self.parts.values())

    def saw(self, event: str, fields: Mapping[str, Any]) -> None:
        """Follow the run by its events."""
        names = ("search", "round") if "round" in fields else ("search", "size", "seed", "variant")
        labels = {name: fields[name] for name in names if name in fields}
        if event == "train-start":
            part = self._begun(labels) or self._unforeseen(labels, fields["epochs"])
        else:
            part = self.parts.get(key_of(labels))
        if part is None:
            return
        if event in ("round-start", "train-start"):
            part.begun, part.epochs = True, fields.get("epochs", part.epochs)
        elif event in ("search-epoch", "train-epoch"):
            part.seconds[fields["epoch"]] = fields["seconds"]
        elif event in ("round-end", "train-end"):
            part.ended = True

    def begin(self, epochs: int, labels: Labels) -> int:
        """The epochs of the part that begins now; all that follow may be shortened with it."""
        part = self._begun(dict(labels)) or self._unforeseen(dict(labels), epochs)
        if part is None:
            return epochs
        needed, room = self._needed(), max(self._room(), 0.0)
        if part.begun or not needed:
            return part.epochs
        share = _AIM * room / needed
        if needed > room:
            self._scale(share, "slower than planned: what has not begun is cut")
        elif (
            share >= _WORTH
            and self._error(part.phase) <= _FAST
            and any(p.epochs < p.full for p in self._waiting())
        ):
            self._scale(share, "faster than planned: what has not begun is lengthened")
        return part.epochs

    def late(self, seconds: float) -> bool:
        """Whether another epoch leaves the parts to come less than half of what they need."""
        to_come = sum(self._cost(part) * part.left for part in self._waiting())
        return self._room() < seconds + _RESERVE * to_come

    def left(self) -> float | None:
        """Seconds that the run will still take, if anything is known about that."""
        known = self.measured or any(part.seconds for part in self.parts.values())
        return self._needed() if known else None

    def _begun(self, labels: Labels) -> Part | None:
        """The part with these labels.

        Which architecture the variants and the members of an ensemble are of is not known
        before it is chosen: a training that was not foreseen takes the place of one that was, of
        the same seed, and of the same variant where that is the first.
        """
        found = self.parts.get(key_of(labels))
        if found is not None or "seed" not in labels:
            return found
        for part in self._waiting():
            same = part.labels.get("variant") == labels.get("variant")
            if part.labels.get("seed") == labels["seed"] and (same or labels["seed"]):
                del self.parts[key_of(part.labels)]
                part.cost *= int(labels["size"]) / int(part.labels["size"])
                part.labels = labels
                self.parts[key_of(labels)] = part
                return part
        return None

    def _unforeseen(self, labels: Labels, epochs: int) -> Part | None:
        """A part of its own for a training that none was planned for: as others of its size."""
        for part in self.parts.values():
            if part.phase == "train" and part.labels["size"] == labels.get("size"):
                added = Part(labels, epochs, part.cost, epochs)
                self.parts[key_of(labels)] = added
                return added
        return None

    def _room(self) -> float:
        return self.seconds - (self.clock() - self.began)

    def _waiting(self) -> list[Part]:
        return [part for part in self.parts.values() if not (part.begun or part.ended)]

    def _needed(self) -> float:
        return sum(self._cost(part) * part.left for part in self.parts.values())

    def _cost(self, part: Part) -> float:
        """Seconds of an epoch: as seen, or as estimated times what estimates were off by."""
        if part.seconds:
            return math.fsum(part.seconds.values()) / len(part.seconds)
        return part.cost * self._error(part.phase)

    def _error(self, phase: str) -> float:
        """Seconds seen for a second estimated, in this phase if there is anything, else in all."""
        for seen in (
            [part for part in self.parts.values() if part.phase == phase],
            list(self.parts.values()),
        ):
            estimated = sum(part.cost * len(part.seconds) for part in seen)
            if estimated:
                return sum(sum(part.seconds.values()) for part in seen) / estimated
        return 1.0

    def _scale(self, share: float, why: str) -> None:
        """Cut or lengthen all parts that have not begun, and journal it as a further plan."""
        waiting = self._waiting()
        for part in waiting:
            most = max(part.full, part.epochs)
            part.epochs = min(most, max(1, int(share * part.epochs)))
        self.attempts += 1
        epochs = {p.labels["round"]: p.epochs for p in self.parts.values() if p.phase == "search"}
        self.observer.event(
            "plan",
            attempt=self.attempts,
            rounds=[
                {"vertices": planned.vertices, "epochs": epochs[index]}
                for index, planned in enumerate(self.rounds)
            ],
            train_epochs=max((p.epochs for p in waiting if p.phase == "train"), default=0),
            parts=[{**part.labels, "epochs": part.epochs} for part in waiting],
            reason=f"{why} to {share:.0%} of its epochs{' at most' if share > 1 else ''}, "
            f"{duration(max(self._room(), 0.0))} are left",
        )
