"""How far the parts of a run are, and how long what is left of them will take."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from argnp.train.pace import Labels
from argnp.workflows.parts import Part, key_of, labels_of, optional

STARTS = ("round-start", "train-start")
_EPOCHS = ("search-epoch", "train-epoch")
_ENDS = ("round-end", "train-end")


class Progress:
    """The parts of a run, followed by its events."""

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = {key_of(part.labels): part for part in parts}

    def saw(self, event: str, fields: Mapping[str, Any]) -> float:
        """Take note of an event; the seconds that its epoch took when it was done before."""
        labels = labels_of(fields)
        starts = event == "train-start"
        part = self.found(labels) if starts else self.parts.get(key_of(labels))
        before = 0.0
        if part is None:
            return before
        if event in STARTS:
            part.begun = True
        elif event in _EPOCHS:
            before = part.seconds.pop(fields["epoch"], 0.0)
            part.seconds[fields["epoch"]] = fields["seconds"]
        elif event in _ENDS:
            part.ended = True
        return before

    def found(self, labels: Labels) -> Part | None:
        """The part with these labels.

        Which architecture the variants and the members of an ensemble are of is not known
        before it is chosen: a training that was not foreseen takes the place of one that was, of
        the same seed, and of the same variant where that is the first. Where there is none, it
        is a part of its own, as others of its size.
        """
        found = self.parts.get(key_of(labels))
        if found is not None or "seed" not in labels:
            return found
        waiting = [part for part in self.parts.values() if not (part.begun or part.ended)]
        for part in waiting:
            same = part.labels.get("variant") == labels.get("variant")
            if part.labels.get("seed") == labels["seed"] and (same or labels["seed"]):
                del self.parts[key_of(part.labels)]
                cost = part.cost * int(labels["size"]) / int(part.labels["size"])
                return self._added(Part(labels, part.epochs, cost))
        for part in self.parts.values():
            if part.phase == "train" and part.labels["size"] == labels["size"]:
                return self._added(Part(labels, part.epochs, part.cost))
        return None

    def required(self) -> list[Part]:
        """Parts to come that a run cannot do without."""
        return [
            part
            for part in self.parts.values()
            if not (part.begun or part.ended or optional(part.labels))
        ]

    @property
    def worked(self) -> float:
        """Seconds of all epochs."""
        return math.fsum(sum(part.seconds.values()) for part in self.parts.values())

    def cost(self, part: Part) -> float:
        """Seconds of an epoch: as seen here or in a part like it, or as estimated times what
        estimates were off by."""
        for seen in (part, *(other for other in self.parts.values() if other.like(part))):
            if seen.seconds:
                return math.fsum(seen.seconds.values()) / len(seen.seconds)
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

    def _added(self, part: Part) -> Part:
        self.parts[key_of(part.labels)] = part
        return part
