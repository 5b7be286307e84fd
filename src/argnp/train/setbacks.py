"""Losses that are not finite: a few are answered with a smaller rate, more are an error."""

from dataclasses import dataclass

from argnp.errors import UserError
from argnp.train.observer import Observer

MOST = 3


@dataclass(frozen=True)
class Setbacks:
    """How often an epoch was thrown away; each time halves the learning rate from there on."""

    count: int = 0

    @property
    def slowdown(self) -> float:
        """Factor of the learning rate."""
        return 0.5**self.count

    def another(self, where: str, advice: str, observer: Observer) -> "Setbacks":
        """One more, said to the observer; UserError with the advice where it is one too many."""
        after = Setbacks(self.count + 1)
        if after.count > MOST:
            raise UserError(f"{where}: the loss was not finite {after.count} times; {advice}")
        observer.event(
            "warning",
            text=f"{where}: the loss was not finite; going on from the epoch before at "
            f"{after.slowdown:g} of the learning rate",
        )
        return after
