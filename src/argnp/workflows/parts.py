"""The parts of a run that take time, in their order, and what an epoch of each costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from argnp.proliferate.rounds import RoundPlan
from argnp.train.pace import Labels
from argnp.workflows.measure import Costs
from argnp.workflows.settings import Settings
from argnp.workflows.variants import AS_SET

Trains = Literal["every", "last", "none"]  # of the sizes on the way
Key = tuple[tuple[str, int | str], ...]


@dataclass
class Part:
    """A round of the search or a training: ``epochs`` planned, and seconds of those done.

    ``cost``: estimated seconds of an epoch.
    """

    labels: Labels
    epochs: int
    cost: float
    begun: bool = False
    ended: bool = False
    seconds: dict[int, float] = field(default_factory=dict)

    @property
    def phase(self) -> str:
        return "search" if "round" in self.labels else "train"

    @property
    def left(self) -> int:
        """Epochs to come."""
        return 0 if self.ended else max(self.epochs - len(self.seconds), 0)

    def like(self, other: "Part") -> bool:
        """Whether epochs of the two take as long: the same networks, from other weights."""
        return self.phase == other.phase == "train" and all(
            self.labels.get(name) == other.labels.get(name) for name in ("size", "variant")
        )


def key_of(labels: Labels) -> Key:
    """What tells a part from the others."""
    return tuple(sorted(labels.items()))


def labels_of(fields: Mapping[str, Any]) -> Labels:
    """The labels of the part that an event tells of."""
    names = ("search", "round") if "round" in fields else ("search", "size", "seed", "variant")
    return {name: fields[name] for name in names if name in fields}


def optional(labels: Labels) -> bool:
    """Whether a run can do without it: all but the searches and one training of each size."""
    return bool(labels.get("seed") or labels.get("variant"))


def parts_of(
    settings: Settings,
    rounds: Sequence[RoundPlan],
    train_epochs: int,
    costs: Costs,
    trains: Trains,
    ensemble: int = 1,
    variants: Sequence[str] = (),
) -> list[Part]:
    """All searches, all trainings, then variants and an ensemble, as if of the largest size."""
    searches = range(settings.searches)
    sizes = list(zip(rounds, costs.train, strict=False))
    trained = {"every": sizes, "last": sizes[-1:], "none": []}[trains]

    def training(search: int, vertices: int, seed: int, cost: float, variant: str = AS_SET) -> Part:
        size = settings.space.cells * vertices
        labels: dict[str, int | str] = {"search": search, "size": size, "seed": seed}
        if variant:
            labels["variant"] = variant
        return Part(labels, train_epochs, cost)

    largest = sizes[-1:] if trains == "every" else []

    return (
        [
            Part({"search": search, "round": index}, planned.epochs, cost)
            for search in searches
            for index, (planned, cost) in enumerate(zip(rounds, costs.search, strict=False))
            if planned.epochs
        ]
        + [
            training(search, planned.vertices, seed, cost)
            for search in searches
            for planned, cost in trained
            for seed in range(settings.seeds)
        ]
        + [
            training(0, planned.vertices, 0, cost, variant)
            for planned, cost in largest
            for variant in variants
        ]
        + [
            training(0, planned.vertices, seed, cost)
            for planned, cost in largest
            for seed in range(settings.seeds, ensemble)
        ]
    )
