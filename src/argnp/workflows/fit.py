"""Search, train, choose, test: from a dataset to a network and an honest number."""

from dataclasses import dataclass

from argnp.arch import Architecture
from argnp.heads.collector import Collector
from argnp.heads.metrics import METRICS, better
from argnp.workflows.context import Context
from argnp.workflows.plan import Plan
from argnp.workflows.select import rule, select
from argnp.workflows.units import Candidate, judge, test, train


@dataclass(frozen=True)
class Fitted:
    """``chosen``: the trainings of the chosen architecture, the best first.

    ``validation`` and ``test`` are metrics of the first of them, or where ``ensemble`` of all
    of them as one; ``tested`` holds the predictions behind those of the test set.
    """

    candidates: list[Candidate]
    chosen: list[Candidate]
    ensemble: bool
    validation: dict[str, float]
    test: dict[str, float]
    tested: Collector

    @property
    def predicting(self) -> list[Candidate]:
        """The trainings that the predictions are of."""
        return self.chosen if self.ensemble else self.chosen[:1]


def search(context: Context, plan: Plan) -> dict[int, dict[int, Architecture]]:
    """Architectures by number of the search, then by size."""
    return {
        number: context.search.grow(plan.rounds, number, context.folder)
        for number in range(context.settings.searches)
    }


def fit(context: Context, plan: Plan) -> Fitted:
    """All of it. The test set is read once, by what validation chose."""
    found = search(context, plan)
    candidates = [
        candidate
        for number, sizes in found.items()
        for architecture in sizes.values()
        for seed in range(context.settings.seeds)
        if (candidate := _train(context, plan, architecture, number, seed)) is not None
    ]
    chosen = _tuned(context, plan, select(candidates, context.dataset.metric))
    context = context.varied(chosen[0].variant)
    wanted = context.settings.ensemble or plan.members(len(chosen[0].architecture))
    if wanted > 1:
        chosen = _together(context, plan, chosen, wanted)
    ensemble = wanted > 1 and len(chosen) > 1
    predicting = chosen if ensemble else chosen[:1]
    validation = judge(context, predicting, "val").metrics if ensemble else chosen[0].metrics
    scores = test(context, predicting)
    return Fitted(candidates, chosen, ensemble, validation, scores.metrics, scores.collector)


def _together(
    context: Context, plan: Plan, chosen: list[Candidate], wanted: int
) -> list[Candidate]:
    """So many trainings of the chosen one, or as many of them as there was time for.

    The others of a training that the clock ended early are better off without it.
    """
    there = {candidate.seed for candidate in chosen}
    more = [seed for seed in range(wanted) if seed not in there][: max(wanted - len(chosen), 0)]
    members = [*chosen, *(_again(context, plan, chosen[0], seed) for seed in more)]
    first, *others = (member for member in members if member is not None)
    return [first, *(member for member in others if not member.cut)][:wanted]


def _tuned(context: Context, plan: Plan, chosen: list[Candidate]) -> list[Candidate]:
    """The chosen architecture as set, or the variant of it that validation finds best."""
    metric = context.dataset.metric
    how = rule(metric)
    best = [chosen[0]]
    if plan.variants:
        tried = [_again(context.varied(name), plan, chosen[0], 0) for name in plan.variants]
        best += [candidate for candidate in tried if candidate is not None]
    if len(best) > 1:
        found = ", ".join(f"{c.variant or 'as set'} {c.metrics[metric]:.4g}" for c in best)
        how += f"; then, of its widths, regularisations and readouts, the best one ({found})"
        for candidate in best[1:]:
            if better(METRICS[metric], candidate.metrics[metric], best[0].metrics[metric]):
                best = [candidate, *(other for other in best if other is not candidate)]
    context.observer.event(
        "selected",
        search=best[0].search,
        size=best[0].size,
        seed=best[0].seed,
        rule=how,
        **({"variant": best[0].variant} if best[0].variant else {}),
    )
    return best[:1] if best[0].variant else chosen


def _again(context: Context, plan: Plan, chosen: Candidate, seed: int) -> Candidate | None:
    """The chosen architecture once more, from other weights."""
    return _train(context, plan, chosen.architecture, chosen.search, seed)


def _train(
    context: Context, plan: Plan, architecture: Architecture, search: int, seed: int
) -> Candidate | None:
    return train(context, architecture, search=search, seed=seed, epochs=plan.train_epochs)
