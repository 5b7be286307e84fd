"""By when the work of a run under a time budget has to be over."""

_FINISHING = 3.0  # seconds for the test, the model and the report, at most a tenth of all
_GRACE = 0.05  # of the budget: half of the lateness that is allowed, as checks come once an epoch


def working(budget: float) -> float:
    """Seconds of the budget that there are for opening, searching and training."""
    return budget - min(_FINISHING, 0.1 * budget)


def deadline(budget: float) -> float:
    """Seconds after which there is no other way but to cut."""
    return working(budget) + _GRACE * budget
