"""Search, train, choose, test: from a dataset to a network and an honest number."""

from dataclasses import dataclass

from argnp.arch import Architecture
from argnp.heads.collector import Collector
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
        train(context, architecture, search=number, seed=seed, epochs=plan.train_epochs)
        for number, sizes in found.items()
        for architecture in sizes.values()
        for seed in range(context.settings.seeds)
    ]
    chosen = select(candidates, context.dataset.metric)
    context.observer.event(
        "selected",
        search=chosen[0].search,
        size=chosen[0].size,
        seed=chosen[0].seed,
        rule=rule(context.dataset.metric),
    )
    members = range(context.settings.seeds, plan.ensemble)
    chosen += [_again(context, plan, chosen[0], seed) for seed in members]
    ensemble = plan.ensemble > 1
    chosen = chosen[: plan.ensemble] if ensemble else chosen
    predicting = chosen if ensemble else chosen[:1]
    validation = judge(context, predicting, "val").metrics if ensemble else chosen[0].metrics
    scores = test(context, predicting)
    return Fitted(candidates, chosen, ensemble, validation, scores.metrics, scores.collector)


def _again(context: Context, plan: Plan, chosen: Candidate, seed: int) -> Candidate:
    """The chosen architecture once more, from other weights."""
    return train(
        context, chosen.architecture, search=chosen.search, seed=seed, epochs=plan.train_epochs
    )
