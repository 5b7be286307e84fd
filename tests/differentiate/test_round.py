import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from tests.small import SEARCHING, TRAINING, WIDTHS, Recorder, small_data

from argnp.arch import Architecture, Space, sample, undecided
from argnp.arch.divide import divide
from argnp.arch.graph import Place
from argnp.data.batch import GraphBatch
from argnp.differentiate.decide import decide, greedy
from argnp.differentiate.halves import halves
from argnp.differentiate.round import Round
from argnp.differentiate.strategies import STRATEGIES, Strategy
from argnp.differentiate.update import Bilevel, first_order
from argnp.errors import UserError
from argnp.nets.cores import choose
from argnp.train.seeds import python_random


class Killed(BaseException):
    """As if the process ended here."""


def small_round(
    supernet: Architecture | None = None,
    folder: Path | None = None,
    observer: Any = None,
    *,
    epochs: int = 6,
    seed: int = 0,
    dropout: float = 0.0,
    pace: Any = None,
    **changes: Any,
) -> Round:
    return Round(
        supernet or undecided(2, Space()),
        small_data(),
        msgspec.structs.replace(SEARCHING, **changes),
        msgspec.structs.replace(TRAINING, dropout=dropout),
        WIDTHS,
        epochs=epochs,
        seed=seed,
        core=choose("torch").core,
        scaling=None,
        observer=observer or Recorder(),
        labels={"search": 0, "round": 0},
        folder=folder,
        checkpoint_seconds=0.0,
        pace=pace,
    )


def kill_at(count: int) -> Callable[[str, dict[str, Any]], None]:
    def at(name: str, fields: dict[str, Any]) -> None:
        if name == "search-epoch" and fields["epoch"] == count:
            raise Killed

    return at


def test_every_alpha_and_every_decision_is_told() -> None:
    recorder = Recorder()
    found = small_round(observer=recorder).run()
    assert found.decided
    epochs, decisions = recorder.of("search-epoch"), recorder.of("decision")
    assert [event["epoch"] for event in epochs] == list(range(6))
    # 4 decisions a space, after 2.4, 3.6, 4.8 and 6 epochs of 25 scaled to 6.
    for space in ("node", "relation"):
        made = [event for event in decisions if event["space"] == space]
        assert [event["epoch"] for event in made] == [2, 4, 5, 6]
        for event in made:
            links = found.vertex(event["vertex"]).links(space)
            assert (event["source"], event["operation"]) in {(k.source, k.operation) for k in links}
            assert event["score"] is not None
    open_links = [len(event["alphas"]["node"]) for event in epochs]
    assert open_links[:2] == [5, 5]
    assert open_links == sorted(open_links, reverse=True)
    for _, _, row in epochs[0]["alphas"]["relation"]:
        assert sum(row) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("strategy", ["sgas", "sgas2"])
def test_decisions_can_be_checked_with_what_is_told(strategy: str) -> None:
    recorder = Recorder()
    tried = small_round(observer=recorder, strategy=strategy, window=2)
    architecture = tried.architecture
    tried.run()
    told = [json.loads(json.dumps(event["alphas"])) for event in recorder.of("search-epoch")]
    for number, event in enumerate(recorder.of("decision")):
        name = event["space"]
        # Links keep their sources, not their positions, when others are pruned.
        tables = []
        for epoch in range(max(event["epoch"] - 2, 0), event["epoch"]):
            then = at_epoch(recorder, tried, epoch)
            rows = {
                (vertex, then.vertex(vertex).links(name)[link].source): row
                for vertex, link, row in told[epoch][name]
            }
            tables.append(
                {
                    place: np.array(rows[place.vertex, link.source], np.float32).astype(float)
                    for place, link in architecture.places(name)
                    if not link.decided
                }
            )
        criterion = STRATEGIES[strategy].criterion
        assert criterion is not None
        found = greedy(architecture, name, tables, criterion)
        assert found is not None, number
        architecture, decision = found
        assert (decision.place.vertex, decision.source, decision.operation, decision.score) == (
            event["vertex"],
            event["source"],
            event["operation"],
            event["score"],
        )
    assert architecture == tried.architecture


def at_epoch(recorder: Recorder, tried: Round, epoch: int) -> Architecture:
    """The architecture as it stood in this epoch, by the decisions that were told before."""
    architecture = undecided(2, Space())
    for event in recorder.of("decision"):
        if event["epoch"] <= epoch:
            place = Place(event["space"], event["vertex"], event["link"])
            architecture = decide(architecture, place, event["operation"])
    return architecture


def test_decided_and_pruned_alphas_are_frozen() -> None:
    seen: list[dict[str, torch.Tensor]] = []
    frozen: list[dict[str, set[int]]] = []

    class Watch(Recorder):
        def progress(self, what: str, done: int, total: int, **shown: float) -> None:
            rows = tried.levels.alphas.rows
            seen.append({name: rows[name].detach().clone() for name in rows})
            open_rows = {
                name: {
                    tried.levels.alphas.row(tried.architecture, place)
                    for place in tried.architecture.mixtures(name)
                }
                for name in Space().names
            }
            frozen.append({name: set(range(5)) - open_rows[name] for name in open_rows})

    tried = small_round(observer=Watch())
    tried.run()
    assert any(0 < len(rows["node"]) < 5 for rows in frozen)
    for before, after, fixed in zip(seen, seen[1:], frozen, strict=False):
        for name, rows in fixed.items():
            for row in range(5):
                assert torch.equal(before[name][row], after[name][row]) == (row in rows)


def test_darts_decides_at_the_end() -> None:
    recorder = Recorder()
    assert small_round(observer=recorder, strategy="darts").run().decided
    assert {event["epoch"] for event in recorder.of("decision")} == {6}
    assert len(recorder.of("decision")) == 8
    assert all(len(event["alphas"]["node"]) == 5 for event in recorder.of("search-epoch"))


def test_alphas_never_see_the_half_of_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    stepped: list[set[int]] = [set(), set()]

    def spy(levels: Bilevel, train: GraphBatch, held_out: GraphBatch) -> Any:
        assert train.graph is not None
        assert held_out.graph is not None
        stepped[0].update(train.graph.tolist())
        stepped[1].update(held_out.graph.tolist())
        before = levels.w.data.clone()
        asked: list[Any] = []
        loss = levels.loss
        levels.__dict__["loss"] = lambda batch, mixture: (
            asked.append(batch),
            loss(batch, mixture),
        )[1]
        try:
            found = first_order(levels, train, held_out)
        finally:
            levels.__dict__["loss"] = loss
        assert [batch is held_out for batch in asked] == [True]
        assert torch.equal(levels.w.data, before)
        return found

    monkeypatch.setitem(STRATEGIES, "spy", Strategy(update=spy))
    tried = small_round(strategy="spy", batch_size=2)
    own, held_out = halves(small_data(), 0)
    before = {name: row.detach().clone() for name, row in tried.levels.alphas.rows.items()}
    tried.run()
    assert stepped == [set(own.tolist()), set(held_out.tolist())]
    for name, row in tried.levels.alphas.rows.items():
        assert not torch.equal(row, before[name])


def test_the_weights_step_is_clipped_sgd() -> None:
    tried = small_round(epochs=1, w_momentum=0.0, w_decay=0.0, clip=1e-3, w_lr=1.0, batch_size=100)
    before = tried.levels.w.data.clone()
    tried.run()
    assert float((tried.levels.w.data - before).norm()) == pytest.approx(1e-3, rel=1e-3)


def terms(tried: Round) -> int:
    return sum(len(plan.terms) for plan in tried.levels.network.body.plans.values())


@pytest.mark.parametrize("grown", [False, True])
def test_what_is_decided_or_pruned_costs_nothing(grown: bool) -> None:
    supernet = divide(sample(2, python_random(0), Space())) if grown else undecided(2, Space())
    counts = []

    class Counter(Recorder):
        def progress(self, what: str, done: int, total: int, **shown: float) -> None:
            counts.append(terms(tried))

    tried = small_round(supernet, observer=Counter())
    fixed = sum(link.decided for _, link in supernet.places())
    mixtures = len(supernet.mixtures())
    assert terms(tried) == fixed + 7 * mixtures  # eight candidates, of which zero adds nothing
    found = tried.run()
    assert counts[-1] == len(list(found.places())) == 4 * len(found)
    assert counts[0] > counts[2] > counts[4] > counts[5]
    # The last vertices of a node task: their relations reach no output and are left out anyway.
    for plan in tried.levels.network.body.plans.values():
        assert len(plan.terms) == 2
        assert all(weight == -1 for weight in plan.weights)


@pytest.mark.parametrize("strategy", ["sgas2", "darts2", "milenas"])
@pytest.mark.parametrize("epoch", [0, 3, 5])
def test_an_interrupted_round_ends_like_an_undisturbed_one(
    tmp_path: Path, strategy: str, epoch: int
) -> None:
    options: dict[str, Any] = {"strategy": strategy, "dropout": 0.3, "batch_size": 3}
    recorder = Recorder()
    first = small_round(observer=recorder, **options)
    architecture = first.run()
    with pytest.raises(Killed):
        small_round(None, tmp_path, Recorder(kill_at(epoch)), **options).run()
    rest = Recorder()
    second = small_round(None, tmp_path, rest, **options)
    assert second.run() == architecture
    assert torch.equal(second.levels.w.data, first.levels.w.data)
    for ours, theirs in zip(
        first.levels.alphas.parameters(), second.levels.alphas.parameters(), strict=True
    ):
        assert torch.equal(ours, theirs)

    def told(events: list[tuple[str, dict[str, Any]]]) -> list[Any]:
        return [(n, {k: v for k, v in f.items() if k != "seconds"}) for n, f in events]

    assert told(rest.events) == told(recorder.events)[-len(rest.events) :]
    assert rest.events[0][1]["epoch"] == epoch


def test_a_finished_round_is_not_done_again(tmp_path: Path) -> None:
    first = small_round(folder=tmp_path)
    found = first.run()
    recorder = Recorder()
    again = small_round(None, tmp_path, recorder)
    assert again.run() == found
    assert recorder.events == []
    assert (again.seconds, again.peak_bytes) == (first.seconds, first.peak_bytes)


def test_the_same_seed_finds_the_same() -> None:
    found = [small_round(seed=seed).run() for seed in (0, 0, 1, 2)]
    assert found[0] == found[1]
    assert len(set(found)) == 3


def spoil(tried: Round, calls: set[int]) -> None:
    loss, count = tried.levels.loss, iter(range(10**6))

    def spoilt(*arguments: Any) -> Any:
        return loss(*arguments) * (math.nan if next(count) in calls else 1.0)

    tried.levels.loss = spoilt  # type: ignore[assignment]


def test_a_loss_that_is_not_finite_goes_back_an_epoch() -> None:
    recorder = Recorder()
    tried = small_round(observer=recorder, batch_size=100)
    spoil(tried, {4, 5})  # both losses of epoch 2: it is done again
    assert tried.run().decided
    assert [event["epoch"] for event in recorder.of("search-epoch")] == list(range(6))
    (warning,) = recorder.of("warning")
    assert warning["text"].startswith("search 0, round 0, epoch 2: the loss was not finite; going")
    assert tried.setbacks.slowdown == 0.5


def test_four_setbacks_are_an_error() -> None:
    tried = small_round()
    spoil(tried, set(range(100)))
    with pytest.raises(UserError, match="search 0, round 0, epoch 0: the loss was not finite 4"):
        tried.run()


@pytest.mark.parametrize("strategy", ["sgas", "darts"])
def test_out_of_time_the_rest_is_decided_at_once(tmp_path: Path, strategy: str) -> None:
    class Hasty:
        def skips(self, labels: Any) -> bool:
            return False

        def ends(self, labels: Any, done: int, seconds: float) -> bool:
            return done == 3

    recorder = Recorder()
    found = small_round(None, tmp_path, recorder, strategy=strategy, pace=Hasty()).run()
    assert found.decided
    assert len(recorder.of("search-epoch")) == 3
    assert recorder.of("decision")[-1]["epoch"] == 3
    assert small_round(None, tmp_path, strategy=strategy).run() == found


def test_a_strategy_that_trains_nothing_needs_no_round() -> None:
    with pytest.raises(ValueError, match="trains nothing"):
        small_round(strategy="random")
