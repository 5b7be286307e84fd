"""A fit of what there was time for: without some seeds, variants and members."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.small import small_data

from argnp.runs.folder import RunFolder
from argnp.workflows.begin import begun
from argnp.workflows.configure import configure
from argnp.workflows.console import Quiet
from argnp.workflows.fit import Fitted, fit

SMALL = {"widths.node": 6, "widths.edge": 4, "kernels": "torch", "search.strategy": "random"}
Labels = Mapping[str, Any]


class Pressed:
    """Leaves out what ``skipped`` says, and ends what ``ended`` says after an epoch."""

    def __init__(
        self,
        skipped: Callable[[Labels], Any],
        ended: Callable[[Labels], Any] = lambda labels: False,
    ) -> None:
        self.skipped, self.ended = skipped, ended

    def skips(self, labels: Labels) -> bool:
        return bool(self.skipped(labels))

    def ends(self, labels: Labels, done: int, seconds: float) -> bool:
        return bool(self.ended(labels))


def fitted(folder: Path, pace: Pressed, **flags: Any) -> Fitted:
    settings = configure(flags={**SMALL, "size": 2, "train.epochs": 3, **flags})
    with begun(settings, small_data(), RunFolder(folder), Quiet()) as (context, plan):
        return fit(replace(context, pace=pace), plan)


def seeds(found: Fitted) -> list[int]:
    return [candidate.seed for candidate in found.chosen]


def test_an_ensemble_is_of_the_members_that_are_there(tmp_path: Path) -> None:
    found = fitted(tmp_path, Pressed(lambda labels: labels["seed"] == 1), ensemble=3)
    assert seeds(found) == [0, 2]
    assert found.ensemble
    assert not (tmp_path / "train/0/size-2/seed-1").exists()


def test_a_member_that_ended_early_is_no_member(tmp_path: Path) -> None:
    pace = Pressed(lambda labels: False, lambda labels: labels["seed"] != 2)
    found = fitted(tmp_path, pace, ensemble=3)
    # The chosen one stays, although it ended early, too.
    assert seeds(found) == [0, 2]
    assert [candidate.cut for candidate in found.chosen] == [True, False]


def test_an_ensemble_of_one_is_none(tmp_path: Path) -> None:
    found = fitted(tmp_path, Pressed(lambda labels: labels["seed"]), ensemble=3)
    assert seeds(found) == [0]
    assert not found.ensemble
    assert found.validation == found.chosen[0].metrics


def test_seeds_that_are_left_out_are_no_candidates_and_members_are_trained_once(
    tmp_path: Path,
) -> None:
    found = fitted(tmp_path, Pressed(lambda labels: labels["seed"] == 1), seeds=3, ensemble=4)
    assert [candidate.seed for candidate in found.candidates] == [0, 2]
    assert sorted(seeds(found)) == [0, 2, 3]
    assert found.ensemble


def test_variants_that_are_left_out_are_not_chosen(tmp_path: Path) -> None:
    tried: list[str] = []

    def skipped(labels: Labels) -> bool:
        tried.append(str(labels.get("variant", "")))
        return bool(labels.get("variant"))

    found = fitted(tmp_path, Pressed(skipped), time_budget=300.0)
    assert {"narrow", "regular"} <= set(tried)
    assert found.chosen[0].variant == ""
    assert len(found.chosen) > 1
