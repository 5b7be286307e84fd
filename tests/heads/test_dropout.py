"""Dropout that a resumed training repeats."""

import pytest
import torch

from argnp.heads.dropout import Dropout, rewound


def test_keeps_the_mean_and_the_right_share() -> None:
    x = torch.ones(200, 200)
    y = Dropout(0.25)(x)
    assert abs(float((y == 0).float().mean()) - 0.25) < 0.01
    torch.testing.assert_close(y[y != 0], torch.full_like(y[y != 0], 4 / 3))


def test_is_nothing_in_evaluation_or_with_zero() -> None:
    x = torch.ones(3, 3)
    assert Dropout(0.5).eval()(x) is x
    assert Dropout(0.0)(x) is x


def test_gradient_follows_the_mask() -> None:
    x = torch.ones(50, requires_grad=True)
    y = Dropout(0.5)(x)
    y.sum().backward()
    assert torch.equal(x.grad, y.detach())


def test_masks_differ_and_go_on_from_the_saved_state_whatever_else_draws() -> None:
    first = Dropout(0.5)
    x = torch.ones(100)
    first(x)
    state = {name: value.clone() for name, value in first.state_dict().items()}
    second, third = first(x), first(x)
    assert not torch.equal(second, third)
    resumed = Dropout(0.5)
    resumed.load_state_dict(state)
    torch.rand(7)
    assert torch.equal(resumed(x), second)
    assert torch.equal(resumed(x), third)


def test_what_is_rewound_is_drawn_again() -> None:
    network = torch.nn.Sequential(Dropout(0.5), Dropout(0.5))
    x = torch.ones(100)
    with rewound(network):
        first = network(x)
    assert torch.equal(network(x), first)
    assert not torch.equal(network(x), first)


@pytest.mark.parametrize("p", [-0.1, 1.0, float("nan")])
def test_refuses_what_is_no_probability(p: float) -> None:
    with pytest.raises(ValueError, match="is not in 0 <= p < 1"):
        Dropout(p)
