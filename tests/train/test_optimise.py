import copy

import pytest
import torch
from torch import nn

from argnp.train.optimise import Optimiser
from argnp.train.settings import TrainSettings


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


def learn(made: nn.Module, optimiser: Optimiser, steps: int, scale: float = 1.0) -> None:
    generator = torch.Generator().manual_seed(4)
    for _ in range(steps):
        optimiser.zero_grad()
        (scale * made(torch.randn(6, 3, generator=generator))).square().mean().backward()
        optimiser.step(0.01)


@pytest.mark.parametrize("kind", ["adam", "adamw"])
def test_equals_torch_parameter_by_parameter(kind: str) -> None:
    made, twin = network(), network()
    settings = TrainSettings(optimizer=kind, weight_decay=0.1, clip=0.05)
    optimiser = Optimiser(made, settings)
    groups = [
        {"params": [p for p in twin.parameters() if p.ndim > 1], "weight_decay": 0.1},
        {"params": [p for p in twin.parameters() if p.ndim == 1], "weight_decay": 0.0},
    ]
    plain = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[kind](groups, lr=0.01)
    learn(made, optimiser, 5)
    generator = torch.Generator().manual_seed(4)
    for _ in range(5):
        plain.zero_grad()
        twin(torch.randn(6, 3, generator=generator)).square().mean().backward()
        nn.utils.clip_grad_norm_(twin.parameters(), 0.05)
        plain.step()
    for ours, theirs in zip(made.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-6)


def test_clipping_bounds_the_norm_over_all_weights() -> None:
    made = network()
    optimiser = Optimiser(made, TrainSettings(clip=1.0))
    learn(made, optimiser, 1, scale=1e3)
    norm = torch.stack([flat.grad.norm() for flat in optimiser.flats]).norm()
    assert float(norm) == pytest.approx(1.0, rel=1e-4)


def test_the_average_follows_the_weights() -> None:
    made = network()
    optimiser = Optimiser(made, TrainSettings(ema=0.99, weight_decay=0.0))
    average = [flat.data.clone() for flat in optimiser.flats]
    for step in range(1, 6):
        learn(made, optimiser, 1)
        keep = min(0.99, (1 + step) / (10 + step))
        average = [
            keep * a + (1 - keep) * f.data for a, f in zip(average, optimiser.flats, strict=True)
        ]
    weights = copy.deepcopy(made.state_dict())
    optimiser.swap()
    for flat, expected in zip(optimiser.flats, average, strict=True):
        torch.testing.assert_close(flat.data, expected)
    optimiser.swap()
    for name, value in made.state_dict().items():
        assert torch.equal(value, weights[name])


def test_a_restored_optimiser_goes_on_bit_by_bit() -> None:
    settings = TrainSettings(ema=0.9, weight_decay=0.01)
    made = network()
    optimiser = Optimiser(made, settings)
    learn(made, optimiser, 3)
    weights, state = copy.deepcopy(made.state_dict()), optimiser.state()
    learn(made, optimiser, 3)
    twin = network()
    resumed = Optimiser(twin, settings)
    twin.load_state_dict(weights)
    resumed.restore(state)
    learn(twin, resumed, 3)
    for ours, theirs in zip(optimiser.flats, resumed.flats, strict=True):
        assert torch.equal(ours.data, theirs.data)
    assert all(map(torch.equal, optimiser.averages, resumed.averages))
