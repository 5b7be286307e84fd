"""The result of a run in words: every size, the choice, the number that counts."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean, stdev, variance
from typing import Any, Final

from argnp.workflows.console import duration
from argnp.workflows.context import Context
from argnp.workflows.fit import Fitted
from argnp.workflows.outcome import Outcome, table
from argnp.workflows.select import rule
from argnp.workflows.units import Candidate

BETWEEN: Final = ("between architectures", "between seeds")


def summarise(context: Context, fitted: Fitted) -> Outcome:
    """Text and values of a fitted run."""
    metric = context.dataset.metric
    best = fitted.chosen[0]
    by_size: dict[int, list[Candidate]] = defaultdict(list)
    for candidate in fitted.candidates:
        by_size[candidate.size].append(candidate)
    several = any(len(group) > 1 for group in by_size.values())
    rows = [
        _row(f"{size}{_mark(best, size)}", group, metric, several=several)
        for size, group in sorted(by_size.items())
    ]
    if best.variant:
        varied = [one for one in fitted.chosen if one.variant == best.variant]
        rows.append(_row(f"{best.size}, {best.variant} *", varied, metric, several=several))
    if fitted.ensemble:
        rows.append(
            [
                f"{len(fitted.chosen)} as one",
                f"{fitted.validation[metric]:.4g}",
                *(["", ""] if several else []),
                f"{sum(one.parameters for one in fitted.chosen):,}",
                duration(sum(one.seconds for one in fitted.chosen)),
            ]
        )
    head = [
        "size",
        f"val {metric}",
        *(BETWEEN if several else []),
        "weights",
        "training",
    ]
    together = f", {len(fitted.chosen)} trainings as one" if fitted.ensemble else ""
    tested = ", ".join(f"{name} {value:.4g}" for name, value in fitted.test.items())
    text = (
        f"{table(head, rows)}\n"
        f"* chosen: {rule(metric)}{', ' + best.variant if best.variant else ''}\n"
        f"test ({len(context.dataset.splits['test'])} held out{together}): {tested}"
    )
    values: dict[str, Any] = {
        "metric": metric,
        "test": fitted.test,
        "validation": fitted.validation,
        "networks": len(fitted.predicting),
        "size": best.size,
        "search": best.search,
        "variant": best.variant,
        "parameters": best.parameters,
        "sizes": [
            {
                "search": candidate.search,
                "size": candidate.size,
                "seed": candidate.seed,
                "validation": candidate.metrics[metric],
                "parameters": candidate.parameters,
                "seconds": candidate.seconds,
            }
            for candidate in fitted.candidates
        ],
    }
    if context.folder is not None:
        text += f"\n{context.folder.path}: report.html, model/"
        if context.settings.time_budget:
            plan = f"--plan {context.folder.path} in place of a --time-budget"
            text += f"\nthe same again, on a machine of any speed: {plan}"
        values["run"] = str(context.folder.path)
    return Outcome(text, values)


def _mark(best: Candidate, size: int) -> str:
    return " *" if size == best.size and not best.variant else ""


def _row(name: str, group: list[Candidate], metric: str, *, several: bool) -> list[str]:
    return [
        name,
        spread([candidate.metrics[metric] for candidate in group]),
        *(between([(c.search, c.metrics[metric]) for c in group]) if several else []),
        f"{fmean(candidate.parameters for candidate in group):,.0f}",
        duration(fmean(candidate.seconds for candidate in group)),
    ]


def spread(values: list[float]) -> str:
    """``0.123 ± 0.004``: mean and standard deviation, where there are several."""
    if len(values) == 1:
        return f"{values[0]:.4g}"
    return f"{fmean(values):.4g} ± {stdev(values):.2g}"


def between(values: Iterable[tuple[int, float]]) -> list[str]:
    """What stands below `BETWEEN`, of values with the number of their search.

    Over seeds: ``w``, the root of the mean variance within an architecture. Over architectures:
    ``sqrt(max(0, v - w^2 / n))``, v the variance of their means over n seeds, of which seeds
    alone make up ``w^2 / n``; with one seed each the two cannot be told apart, and it is v's root.
    """
    found: dict[int, list[float]] = defaultdict(list)
    for search, value in values:
        found[search].append(value)
    means = [fmean(values) for values in found.values()]
    within = [variance(values) for values in found.values() if len(values) > 1]
    seeds = fmean(len(values) for values in found.values())
    noise = fmean(within) if within else 0.0
    return [
        f"± {max(variance(means) - noise / seeds, 0.0) ** 0.5:.2g}" if len(means) > 1 else "",
        f"± {noise**0.5:.2g}" if within else "",
    ]
