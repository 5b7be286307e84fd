"""Losses against torch's own, with missing targets, weights and multiplicities."""

from dataclasses import replace

import pytest
import torch
from tests.heads.conftest import Twins
from torch import Tensor
from torch.nn import functional

from argnp.data.schema import Task
from argnp.errors import UserError
from argnp.heads.losses import loss_for

NODES = Task("node", "classification", 3)


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        (None, functional.l1_loss),
        ("l1", functional.l1_loss),
        ("mse", functional.mse_loss),
        ("huber", functional.huber_loss),
    ],
)
def test_regression_with_missing_targets(
    twins: Twins, generator: torch.Generator, name: str | None, reference: object
) -> None:
    assert callable(reference)
    loss = loss_for(Task("graph", "regression", 2), name)
    p = torch.randn(4, 2, generator=generator, requires_grad=True)
    y = 3 * torch.randn(4, 2, generator=generator)
    torch.testing.assert_close(loss(p, replace(twins.pairs, target=y)), reference(p, y))
    w = torch.ones(4, 2)
    w[1, 0] = w[2] = 0
    missing = torch.where(w > 0, y, torch.nan)
    value = loss(p, replace(twins.pairs, target=missing, weight=w))
    torch.testing.assert_close(value, reference(p[w > 0], y[w > 0]))
    value.backward()
    assert p.grad is not None
    assert torch.isfinite(p.grad).all()
    assert (p.grad[w == 0] == 0).all()


def test_weights_per_row_hold_for_every_column(twins: Twins) -> None:
    loss = loss_for(Task("graph", "regression", 2), "l1")
    batch = replace(twins.pairs, target=torch.zeros(4, 2), weight=torch.tensor([1.0, 3, 0, 0]))
    p = torch.tensor([[1.0, 3], [5, 7], [9, 9], [9, 9]])
    assert float(loss(p, batch)) == pytest.approx((1 + 3 + 15 + 21) / 8)


def test_cross_entropy_with_weights(twins: Twins, generator: torch.Generator) -> None:
    p = torch.randn(6, 3, generator=generator)
    y = torch.tensor([0, 1, 2, 2, 1, -1])
    w = torch.tensor([1.0, 2, 0, 1, 1, 0])
    each = functional.cross_entropy(p, y.clamp(min=0), reduction="none")
    value = loss_for(NODES)(p, replace(twins.pairs, target=y, weight=w))
    torch.testing.assert_close(value, (each * w).sum() / w.sum())


def test_class_weights_as_in_the_method(twins: Twins, generator: torch.Generator) -> None:
    p = torch.randn(6, 4, generator=generator, requires_grad=True)
    y = torch.tensor([0, 0, 0, 2, 2, 3])
    loss = loss_for(Task("node", "classification", 4), "weighted-cross-entropy")
    shares = torch.tensor([3 / 6, 0, 4 / 6, 5 / 6])  # class 1 is absent
    expected = functional.cross_entropy(p, y, weight=shares)
    torch.testing.assert_close(loss(p, replace(twins.pairs, target=y)), expected)
    keep = torch.tensor([1.0, 1, 0, 1, 1, 0])
    shares = torch.tensor([2 / 4, 0, 2 / 4, 0])
    expected = functional.cross_entropy(p[keep > 0], y[keep > 0], weight=shares)
    masked = replace(twins.pairs, target=y, weight=keep)
    torch.testing.assert_close(loss(p, masked), expected)


def test_class_weights_of_a_single_class_are_zero_not_nan(twins: Twins) -> None:
    p = torch.randn(6, 3, requires_grad=True)
    batch = replace(twins.pairs, target=torch.ones(6, dtype=torch.int64))
    value = loss_for(NODES, "weighted-cross-entropy")(p, batch)
    value.backward()
    assert float(value.detach()) == 0
    assert p.grad is not None
    assert (p.grad == 0).all()


def test_multilabel_with_missing_labels(twins: Twins, generator: torch.Generator) -> None:
    p = torch.randn(4, 3, generator=generator)
    y = torch.randint(0, 2, (4, 3), generator=generator).float()
    w = torch.ones(4, 3)
    w[0, 1] = w[3, 2] = 0
    batch = replace(twins.pairs, target=torch.where(w > 0, y, torch.nan), weight=w)
    value = loss_for(Task("graph", "multilabel", 3))(p, batch)
    expected = functional.binary_cross_entropy_with_logits(p[w > 0], y[w > 0])
    torch.testing.assert_close(value, expected)


@pytest.mark.parametrize("name", ["cross-entropy", "weighted-cross-entropy"])
def test_edge_losses_are_the_same_held_once_or_per_edge(
    twins: Twins, generator: torch.Generator, name: str
) -> None:
    loss = loss_for(Task("edge", "classification", 2), name)
    p = torch.randn(4, 2, generator=generator)
    y, w = torch.tensor([0, 1, 1, 0]), torch.tensor([1.0, 1.0, 0.5, 1.0])

    def value(p: Tensor, y: Tensor, w: Tensor | None, per_edge: bool) -> Tensor:
        return loss(p, replace(twins.edges if per_edge else twins.pairs, target=y, weight=w))

    x = twins.expand
    torch.testing.assert_close(value(p, y, w, False), value(x(p), x(y), x(w), True))
    torch.testing.assert_close(value(p, y, None, False), value(x(p), x(y), None, True))


def test_named_pairs_have_no_multiplicity(twins: Twins) -> None:
    named = torch.tensor([[0, 1, 2, 4], [1, 2, 2, 5]])
    batch = replace(twins.pairs, target=torch.zeros(4, 1), edge_label_index=named)
    loss = loss_for(Task("edge", "regression", 1))
    assert float(loss(torch.tensor([[1.0], [2], [3], [8]]), batch)) == pytest.approx(3.5)


def test_regression_on_edges_counts_columns_by_multiplicity(twins: Twins) -> None:
    batch = replace(twins.pairs, target=torch.zeros(4, 1))
    loss = loss_for(Task("edge", "regression", 1))
    value = loss(torch.tensor([[1.0], [2], [3], [6]]), batch)
    assert float(value) == pytest.approx((2 + 4 + 3 + 12) / 7)


def test_nothing_to_learn_from_is_zero_with_zero_gradients(twins: Twins) -> None:
    p = torch.randn(4, 1, requires_grad=True)
    batch = replace(twins.pairs, target=torch.full((4, 1), torch.nan), weight=torch.zeros(4, 1))
    value = loss_for(Task("graph", "regression", 1))(p, batch)
    value.backward()
    assert float(value.detach()) == 0
    assert p.grad is not None
    assert (p.grad == 0).all()


def test_parts_add_up_over_batches(twins: Twins) -> None:
    loss = loss_for(Task("graph", "regression", 1))
    one = replace(twins.pairs, target=torch.zeros(4, 1))
    two = replace(one, weight=torch.tensor([1.0, 0, 0, 0]))
    a, b = loss.parts(torch.ones(4, 1), one), loss.parts(torch.full((4, 1), 6.0), two)
    assert float((a[0] + b[0]) / (a[1] + b[1])) == pytest.approx(2.0)


def test_a_loss_that_does_not_fit_lists_those_that_do() -> None:
    text = "loss l1: does not fit node-classification; choose of cross-entropy, weighted-"
    with pytest.raises(UserError, match=text):
        loss_for(NODES, "l1")
