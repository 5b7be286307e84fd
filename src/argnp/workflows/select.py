"""Which of the trained sizes a run hands over."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from argnp.heads.metrics import METRICS, better
from argnp.workflows.units import Candidate

TOLERANCE = 0.01


def rule(metric: str) -> str:
    """The rule of `select`, for the report."""
    return (
        f"the smallest network whose validation {metric}, averaged over training seeds, is within "
        f"{TOLERANCE:.0%} of the best one's"
    )


def select(candidates: Sequence[Candidate], metric: str) -> list[Candidate]:
    """All seeds of the chosen architecture, the best seed first.

    Accuracy against weights: a network with fewer weights is taken if it loses at most 1% of
    the metric.
    """
    groups: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[candidate.search, candidate.size].append(candidate)
    value = {
        key: fmean(candidate.metrics[metric] for candidate in group)
        for key, group in groups.items()
    }
    judge = METRICS[metric]
    best = next(iter(value))
    for key, mean in value.items():
        if better(judge, mean, value[best]):
            best = key
    margin = TOLERANCE * abs(value[best])
    near = [key for key in value if key == best or abs(value[key] - value[best]) <= margin]
    chosen = min(near, key=lambda key: (groups[key][0].parameters, key))
    found = groups[chosen][:1]
    for candidate in groups[chosen][1:]:
        first = better(judge, candidate.metrics[metric], found[0].metrics[metric])
        found.insert(0 if first else len(found), candidate)
    return found
