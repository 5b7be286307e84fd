import random

import torch
from torch import nn

from argnp.arch import sample
from argnp.data.schema import Features, Schema, Task
from argnp.nets.network import build
from argnp.nets.widths import Widths
from argnp.train.flat import FlatParameters, split_decayed


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 2))


def test_parameters_and_gradients_are_views_of_the_buffers() -> None:
    made = network()
    before = [p.detach().clone() for p in made.parameters()]
    flat = FlatParameters(made.parameters())
    assert flat.data.numel() == sum(p.numel() for p in before)
    assert all(torch.equal(p, q) for p, q in zip(made.parameters(), before, strict=True))
    flat.data.zero_()
    assert all(not p.any() for p in made.parameters())
    flat.data.fill_(0.5)
    made(torch.randn(5, 3)).square().sum().backward()
    assert torch.equal(torch.cat([p.grad.reshape(-1) for p in made.parameters()]), flat.grad)
    assert flat.grad.any()


def test_loading_weights_reaches_the_buffer() -> None:
    made = network()
    flat = FlatParameters(made.parameters())
    made.load_state_dict({k: v + 1 for k, v in made.state_dict().items()})
    assert torch.equal(flat.data, torch.cat([p.reshape(-1) for p in made.parameters()]))


def test_frozen_weights_get_no_gradient() -> None:
    made = network()
    flat = FlatParameters(made.parameters())
    flat.freeze(True)
    x = torch.randn(5, 3, requires_grad=True)
    made(x).sum().backward()
    assert not flat.grad.any()
    flat.freeze(False)
    made(x).square().sum().backward()
    assert flat.grad.any()


def test_finite() -> None:
    flat = FlatParameters(network().parameters())
    assert flat.finite
    flat.data[3] = float("inf")
    assert not flat.finite


def test_only_matrices_decay() -> None:
    made = network()
    decayed, left = split_decayed(made)
    assert [tuple(p.shape) for p in decayed] == [(4, 3), (2, 4)]
    assert len(left) == 4


def test_gains_and_shifts_of_operations_do_not_decay() -> None:
    schema = Schema(Task("graph", "regression", 1), Features("floats", width=2), Features("none"))
    found = build(sample(2, random.Random(0)), Widths(4, 3, 4, 3), schema, seed=0)
    names = {id(p): name for name, p in found.named_parameters()}
    decayed, left = ([names[id(p)] for p in group] for group in split_decayed(found))
    assert len(decayed) + len(left) == len(names)
    assert {name.split(".")[-1] for name in decayed} == {"weight"}
    assert any("banks" in name for name in decayed)
    assert {"gain", "shift", "bias"} <= {name.split(".")[-1] for name in left}
