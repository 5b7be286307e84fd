"""What of a plan was cut by the clock."""

import msgspec

from argnp.train.pace import Labels
from argnp.workflows.parts import Key, key_of, labels_of


class Cut(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part with these labels ended after so many epochs; 0: it was left out."""

    search: int
    epochs: int
    round: int | None = None
    size: int | None = None
    seed: int | None = None
    variant: str | None = None

    @property
    def labels(self) -> Labels:
        return labels_of(msgspec.to_builtins(self))  # defaults, which say nothing, are left out

    @property
    def key(self) -> Key:
        return key_of(self.labels)


def name_of(labels: Labels) -> str:
    """A part of a run, as people read it."""
    name = ", ".join(f"{name} {value}" for name, value in labels.items())
    return name if "round" in labels else f"training {name}"
