"""How many epochs there is time for."""

from collections.abc import Mapping
from typing import Protocol

Labels = Mapping[str, int | str]  # which part of a run


class Pace(Protocol):
    """Asked before each search round and each training, and after every epoch of them."""

    def begin(self, epochs: int, labels: Labels) -> int:
        """Epochs that the part of the run with these labels gets, of so many planned."""
        ...

    def late(self, seconds: float) -> bool:
        """Whether another epoch of about this length would be one too many."""
        ...


class Unhurried:
    """All the time in the world."""

    def begin(self, epochs: int, labels: Labels) -> int:
        return epochs

    def late(self, seconds: float) -> bool:
        return False
