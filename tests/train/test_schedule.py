import math

import pytest

from argnp.train.schedule import Plateau, cosine, rate
from argnp.train.settings import TrainSettings


def test_cosine_runs_from_high_to_low() -> None:
    assert cosine(0, 10, 0.025, 0.001) == pytest.approx(0.025)
    assert cosine(5, 10, 0.025, 0.001) == pytest.approx(0.013)
    assert cosine(10, 10, 0.025, 0.001) == pytest.approx(0.001)
    assert cosine(2.5, 10, 1.0, 0.0) == pytest.approx((1 + math.cos(math.pi / 4)) / 2)


def test_plateau_halves_after_patience_epochs_without_a_fall() -> None:
    plateau = Plateau(patience=2)
    factors = []
    for loss in (3.0, 2.0, 2.0, 2.5, 2.1, 1.9, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0):
        plateau.observe(loss)
        factors.append(plateau.factor)
    # The second epoch in a row without a fall halves; then counting starts anew.
    assert factors == [1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.125, 0.125, 0.0625]


def test_an_equal_or_unknown_loss_is_no_fall() -> None:
    plateau = Plateau(patience=1)
    for loss in (1.0, 1.0, math.nan):
        plateau.observe(loss)
    assert plateau.factor == 0.25
    assert plateau.best == 1.0


def test_plateau_schedule_ignores_progress() -> None:
    settings = TrainSettings(schedule="plateau", lr=0.1)
    assert rate(settings, 0.9, Plateau(20, factor=0.25)) == pytest.approx(0.025)


def test_warm_up_then_cosine() -> None:
    settings = TrainSettings(lr=0.1, final_lr=0.001, warmup=0.2)
    plateau = Plateau(20)
    assert rate(settings, 0.0, plateau) == pytest.approx(0.001)  # a hundredth, not nothing
    assert rate(settings, 0.1, plateau) == pytest.approx(0.05)
    assert rate(settings, 0.2, plateau) == pytest.approx(0.1)
    assert rate(settings, 0.6, plateau) == pytest.approx(0.0505)
    assert rate(settings, 1.0, plateau) == pytest.approx(0.001)


def test_the_final_rate_never_exceeds_the_first() -> None:
    settings = TrainSettings(lr=1e-6, final_lr=1e-3)
    assert rate(settings, 1.0, Plateau(20)) == pytest.approx(1e-6)
