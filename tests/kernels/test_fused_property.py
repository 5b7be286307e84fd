"""The fused core against the oracle in float64, over whatever a vertex may be.

An error counts where it is large beside the largest value of its tensor: `TOLERANCE` of it, every
single entry, weight matrix by weight matrix. What float32 cannot know is allowed for by asking
the oracle itself: its results are compared with those for inputs that differ in the last digits
of a float32. So few rows with a variance near 0, or an activation on its kink, excuse only
themselves.
"""

from dataclasses import replace

import pytest
import torch
from fused_cases import NODE, RELATION, Case, make_case, topology_of
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import OracleCore
from torch import Tensor

from argnp.kernels.core import EPS
from argnp.kernels.fused import FusedCore, unavailable
from argnp.kernels.layout import node_layout, relation_layout

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

TOLERANCE = 1e-4  # of the largest value
LAST_DIGITS = 2.0**-21  # relative; a float32 is exact to 2^-24, and a sum of hundreds to this
FLOOR = 0.5  # of what counts as the largest value: weights of the loss are about 1
DOUBT = 10.0  # times the largest of the differences between oracles

graphs = st.lists(
    st.integers(1, 9).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=14),
        )
    ),
    max_size=5,
)
width = st.one_of(st.integers(1, 256), st.sampled_from([1, 4, 7, 8, 9, 16, 17, 50, 255, 256]))


def parts(case: Case, result: dict[str, Tensor]) -> dict[str, Tensor]:
    """Results by name; in place of the bank's gradient, those of its layers."""
    d_V, d_E = case.V[0].shape[1], case.E[0].shape[1] if case.E else 0
    layout = node_layout(d_V, d_E, relations=case.E is not None)
    if case.space == "relations":
        layout = relation_layout(d_V, d_E)
    rest = {name: tensor for name, tensor in result.items() if name != "dbank"}
    return {**rest, **{f"d{name}": w for name, w in layout.views(result["dbank"]).items()}}


def nudged(case: Case, seed: int) -> dict[str, Tensor]:
    """The oracle's results where inputs, and what is about BatchNorm, differ as a float32 ends."""
    rng = torch.Generator().manual_seed(seed)

    def noise(x: Tensor) -> Tensor:
        return LAST_DIGITS * torch.randn(x.shape, generator=rng, dtype=torch.float64)

    def nudge(x: Tensor) -> Tensor:
        return x * (1 + noise(x))

    def rounding(y: Tensor) -> Tensor:
        """BatchNorm enlarges differences; its gradient is what is left of much larger numbers."""
        rounded = nudge(y)
        if not len(y):
            return y
        if case.training:
            steepest = float((y.detach().var(0, correction=0) + EPS).rsqrt().max())
        else:
            steepest = float((case.var + EPS).rsqrt().max())
        terms = steepest * float(case.coef.abs().max() * case.weights.abs().max())
        if rounded.requires_grad:
            rounded.register_hook(lambda gradient: gradient + terms * noise(gradient))
        return rounded

    E = None if case.E is None else [nudge(e) for e in case.E]
    other = replace(case, bank=nudge(case.bank), V=[nudge(v) for v in case.V], E=E)
    return parts(case, other.run(OracleCore(rounding=rounding), torch.float64))


def wrong(case: Case, found: dict[str, Tensor]) -> list[str]:
    """The results with an entry that is further from the oracle's than it may be."""
    exact = parts(case, case.run(OracleCore(), torch.float64))
    others = [nudged(case, seed) for seed in range(3)]
    told = []
    for name, got in parts(case, found).items():
        value = exact[name]
        if not value.numel():
            continue
        scale = max(float(value.abs().max()), FLOOR)
        doubt = max(float((other[name] - value).abs().max()) for other in others)
        error = float((got - value).abs().nan_to_num(torch.inf).max())
        if error > TOLERANCE * scale + DOUBT * doubt:
            told.append(f"{name}: {error:.1e} of {scale:.1e}, in doubt {doubt:.1e}")
    return told


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    data=st.data(),
    graphs=graphs,
    relations=st.sampled_from(["directed", "undirected", "off"]),
    widths=st.tuples(width, width),
    training=st.booleans(),
)
def test_any_vertex_on_any_batch(data, graphs, relations, widths, training) -> None:
    space = "nodes" if relations == "off" else data.draw(st.sampled_from(["nodes", "relations"]))
    known = NODE if space == "nodes" else RELATION
    operations = data.draw(st.lists(st.sampled_from([*known, "skip"]), min_size=1, max_size=4))
    case = make_case(
        space,
        operations,
        topology_of(graphs, undirected=relations != "directed"),
        widths,
        sources=data.draw(st.integers(1, 3)),
        relations=relations != "off",
        training=training,
        seed=data.draw(st.integers(0, 1000)),
    )
    assert not wrong(case, case.run(FusedCore(), torch.float32))


@pytest.mark.parametrize("space", ["nodes", "relations"])
def test_one_lane_that_is_wrong_is_seen(space: str) -> None:
    """The last column of any result, one part in two hundred off."""
    topology = topology_of([(6, [(0, 1), (2, 1), (3, 4), (4, 0)]), (3, [(1, 2)])], undirected=True)
    operations = (NODE if space == "nodes" else RELATION)[:2]
    case = make_case(space, operations, topology, (33, 17), training=False)
    right = case.run(FusedCore(), torch.float32)
    assert not wrong(case, right)
    for name in ("out", "dcoef", "dV0", "dE0", "dbank"):
        spoilt = right[name].clone()
        spoilt[..., -1] += 5e-3 * spoilt.abs().max()
        assert wrong(case, {**right, name: spoilt}), name
