"""Whether there is time for what was planned."""

from collections.abc import Mapping
from typing import Protocol

Labels = Mapping[str, int | str]  # which part of a run


class Pace(Protocol):
    """Asked before each training, and after every epoch of it or of a round of the search.

    It may cut what was planned, and never adds to it.
    """

    def skips(self, labels: Labels) -> bool:
        """Whether the training with these labels is left out."""
        ...

    def ends(self, labels: Labels, done: int, seconds: float) -> bool:
        """Whether the part ends after so many epochs, the last of which took ``seconds``."""
        ...


class Unhurried:
    """All the time in the world."""

    def skips(self, labels: Labels) -> bool:
        return False

    def ends(self, labels: Labels, done: int, seconds: float) -> bool:
        return False
