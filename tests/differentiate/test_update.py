"""Gradients of the alphas on a model small enough to differentiate exactly."""

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from argnp.arch import Space, undecided
from argnp.differentiate.alphas import Alphas
from argnp.differentiate.update import Bilevel, first_order, mixed_level, second_order
from argnp.differentiate.weighting import softmax
from argnp.heads.dropout import Dropout, rewound
from argnp.train.flat import FlatParameters

XI, MOMENTUM, DECAY = 0.1, 0.9, 0.03
DRAW = 1  # of the dropout masks


class Toy(nn.Module):
    """A prediction in which mixture weights and weights meet."""

    def __init__(self, entries: int, dropout: float) -> None:
        super().__init__()
        self.dropout = Dropout(dropout)
        self.dropout.draw.fill_(DRAW)
        generator = torch.Generator().manual_seed(0)
        make = lambda *s: torch.randn(*s, generator=generator, dtype=torch.float64)  # noqa: E731
        self.matrix = nn.Parameter(make(4, 3))
        self.bias = nn.Parameter(make(4))
        self.register_buffer("reading", make(entries, 4))

    def forward(self, x: Tensor, mixture: Tensor) -> Tensor:
        return self.dropout(torch.tanh(x @ self.matrix.T + self.bias)) @ (mixture @ self.reading)


class Case:
    def __init__(self, *, moving: bool, dropout: float = 0.0) -> None:
        rng = np.random.default_rng(1)
        space = Space(relations=False)
        self.alphas = Alphas(undecided(2, space), rng).double()
        with torch.no_grad():
            for row in self.alphas.parameters():
                row.copy_(torch.from_numpy(rng.normal(size=tuple(row.shape))))
        self.model = Toy(5 * 8 + 1, dropout)
        self.w = FlatParameters(self.model.parameters())
        self.buffer = torch.from_numpy(rng.normal(size=16)) if moving else None
        self.seen: list[Any] = []
        self.levels = Bilevel(
            loss=self.loss,
            w=self.w,
            alphas=self.alphas,
            weighting=softmax,
            rate=lambda: XI,
            momentum=MOMENTUM,
            decay=DECAY,
            buffer=lambda: self.buffer,
            rewound=partial(rewound, self.model),
        )
        self.train, self.held_out = (
            (torch.from_numpy(rng.normal(size=(7, 3))), torch.from_numpy(rng.normal(size=7)))
            for _ in range(2)
        )

    def loss(self, batch: Any, mixture: Any) -> Tensor:
        self.seen.append(batch)
        x, y = batch
        return (self.model(x, mixture["node"]) - y).square().mean()

    def exact(self, batch: Any, w: Tensor, alphas: Tensor) -> Tensor:
        """The same loss as a function of both levels, under the mask that is due."""
        x, y = batch
        mixture = torch.cat([torch.softmax(alphas, 1).reshape(-1), torch.ones(1).double()])
        with rewound(self.model):
            hidden = self.model.dropout(torch.tanh(x @ w[:12].view(4, 3).T + w[12:]))
        return (hidden @ (mixture @ self.model.reading) - y).square().mean()

    def both(self) -> tuple[Tensor, Tensor]:
        rows = self.alphas.rows["node"].detach().clone().requires_grad_()
        return self.w.data.clone().requires_grad_(), rows


def test_first_order_follows_the_held_out_half_alone() -> None:
    case = Case(moving=True)
    before = case.w.data.clone()
    (gradient,), loss = first_order(case.levels, case.train, case.held_out)
    assert [batch is case.held_out for batch in case.seen] == [True]
    w, rows = case.both()
    value = case.exact(case.held_out, w, rows)
    torch.testing.assert_close(gradient, torch.autograd.grad(value, rows)[0])
    torch.testing.assert_close(loss, value.detach())
    assert torch.equal(case.w.data, before)
    assert not case.w.grad.any()
    assert all(p.requires_grad for p in case.model.parameters())


@pytest.mark.parametrize("dropout", [0.0, 0.5])
@pytest.mark.parametrize("moving", [False, True])
def test_second_order_is_the_gradient_through_the_unrolled_step(
    moving: bool, dropout: float
) -> None:
    case = Case(moving=moving, dropout=dropout)
    before = case.w.data.clone()
    (gradient,), loss = second_order(case.levels, case.train, case.held_out)
    w, rows = case.both()
    inner = torch.autograd.grad(case.exact(case.train, w, rows), w, create_graph=True)[0]
    momentum = 0.0 if case.buffer is None else MOMENTUM * case.buffer
    unrolled = w - XI * (momentum + inner + DECAY * w)
    value = case.exact(case.held_out, unrolled, rows)
    expected = torch.autograd.grad(value, rows)[0]
    torch.testing.assert_close(gradient, expected, rtol=1e-3, atol=1e-6)
    torch.testing.assert_close(loss, value.detach())
    assert torch.equal(case.w.data, before)
    # The second term is no trifle here: without it the comparison would fail.
    first = torch.autograd.grad(case.exact(case.held_out, unrolled.detach(), rows), rows)[0]
    assert (gradient - first).abs().max() > 100 * (gradient - expected).abs().max()


def test_the_unrolled_step_is_the_one_that_the_weights_take() -> None:
    case = Case(moving=False)
    sgd = torch.optim.SGD([case.w.parameter], lr=XI, momentum=MOMENTUM, weight_decay=DECAY)
    case.levels.weight_gradient(case.train)
    sgd.step()
    case.buffer = sgd.state[case.w.parameter]["momentum_buffer"]
    start = case.w.data.clone()
    taken: list[Tensor] = []
    loss = case.loss

    def spy(batch: Any, mixture: Any) -> Tensor:
        taken.append(case.w.data.clone())
        return loss(batch, mixture)

    case.levels.__dict__["loss"] = spy
    second_order(case.levels, case.train, case.held_out)
    case.levels.weight_gradient(case.train)
    assert torch.equal(case.w.data, start)
    sgd.step()
    torch.testing.assert_close(taken[1], case.w.data)  # where the held-out loss was looked at


def test_mixed_level_adds_both_halves() -> None:
    case = Case(moving=False)
    (gradient,), _ = mixed_level(case.levels, case.train, case.held_out)
    w, rows = case.both()
    value = case.exact(case.held_out, w, rows) + case.exact(case.train, w, rows)
    torch.testing.assert_close(gradient, torch.autograd.grad(value, rows)[0])


def test_the_weights_step_leaves_the_alphas_alone() -> None:
    case = Case(moving=False)
    gradient, _ = case.levels.weight_gradient(case.train)
    w, rows = case.both()
    expected = torch.autograd.grad(case.exact(case.train, w, rows), w)[0]
    torch.testing.assert_close(gradient, expected)
    assert all(row.grad is None for row in case.alphas.parameters())
    assert all(row.requires_grad for row in case.alphas.parameters())


def test_decided_alphas_get_no_gradient() -> None:
    case = Case(moving=False)
    case.levels.__dict__["loss"] = lambda batch, mixture: case.model.bias.sum()
    (gradient,), _ = first_order(case.levels, case.train, case.held_out)
    assert not gradient.any()
