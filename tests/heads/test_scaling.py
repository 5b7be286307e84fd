"""Standardised targets, and the way back."""

import msgspec
import pytest
import torch

from argnp.heads.scaling import Scaling


def test_training_targets_get_mean_zero_and_std_one(generator: torch.Generator) -> None:
    y = 5 + 3 * torch.randn(100, 2, generator=generator)
    scaled = (scaling := Scaling.fit(y)).transform(y)
    torch.testing.assert_close(scaled.mean(0), torch.zeros(2), atol=1e-5, rtol=0)
    torch.testing.assert_close(scaled.std(0, correction=0), torch.ones(2))
    torch.testing.assert_close(scaling.inverse(scaled), y)


def test_missing_targets_do_not_count_and_stay_missing() -> None:
    y = torch.tensor([[1.0, torch.nan], [3.0, 7.0], [torch.nan, 9.0]])
    scaling = Scaling.fit(y, (~y.isnan()).float())
    assert scaling == Scaling((2.0, 8.0), (1.0, 1.0))
    assert torch.equal(scaling.transform(y).isnan(), y.isnan())


def test_weights_count_as_repetition() -> None:
    y = torch.tensor([[1.0], [4.0]])
    assert Scaling.fit(y, torch.tensor([[2.0], [1.0]])) == Scaling.fit(y[[0, 0, 1]])


@pytest.mark.parametrize("value", [0.0, 0.1, 1e6 + 0.1])
def test_a_constant_column_keeps_its_scale(value: float) -> None:
    for rows in (1, 7, 97):  # the mean of equal numbers is not always that number
        scaling = Scaling.fit(torch.full((rows, 1), value, dtype=torch.float64))
        assert scaling.std == (1.0,)
        assert scaling.mean[0] == pytest.approx(value)


def test_a_column_without_any_target_is_left_alone() -> None:
    y = torch.full((3, 1), torch.nan)
    assert Scaling.fit(y, torch.zeros(3, 1)) == Scaling((0.0,), (1.0,))


def test_a_large_offset_does_not_hide_a_small_spread() -> None:
    y = 1e6 + torch.tensor([[0.0], [0.5], [1.0]])
    assert Scaling.fit(y).std[0] == pytest.approx((1 / 6) ** 0.5, rel=1e-6)


def test_json_round_trip() -> None:
    scaling = Scaling((0.1, -2.0), (1.0, 3.5))
    assert msgspec.json.decode(msgspec.json.encode(scaling), type=Scaling) == scaling
