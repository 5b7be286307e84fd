import random

import pytest

from argnp.arch import Space, sample
from argnp.data.schema import Encoding, Features, Schema, Task
from argnp.nets.network import build
from argnp.nets.widths import Widths, count_parameters, solve_widths
from argnp.ops.reference import ReferenceCore

ZINC = Schema(
    Task("graph", "regression", 1),
    Features("codes", (28,)),
    Features("codes", (4,)),
    Encoding("lap", 8),
    "undirected",
)
NO_SKIP = Space(
    node_operations=("V_MAX", "V_SUM", "zero"), relation_operations=("E_SUB", "E_MAX", "zero")
)


@pytest.mark.parametrize(("size", "published"), [(2, 0.088), (4, 0.157), (8, 0.297), (16, 0.576)])
def test_published_weights_of_zinc_networks_without_skips(size, published):
    widths = Widths()
    count = count_parameters(sample(size, random.Random(0), NO_SKIP), widths, ZINC)
    # The published networks gather in0 and in1 although they are one stream; and their
    # embeddings have no slot for values that training never saw.
    twice = widths.node * widths.node_out + widths.edge * widths.edge_out
    unknown = widths.node + widths.edge
    assert round((count + twice - unknown) / 1e6, 3) == pytest.approx(published, abs=6e-4)


@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("relations", [True, False])
@pytest.mark.parametrize("level", ["graph", "node", "edge"])
@pytest.mark.parametrize("norm", [True, False])
def test_counting_is_building(cells, relations, level, norm):
    schema = Schema(
        Task(level, "classification", 5),
        Features("floats", (), 7),
        Features("none"),
        Encoding(),
        "directed" if relations else "off",
    )
    architecture = sample(3, random.Random(1), Space(cells=cells, relations=relations))
    widths = Widths(9, 5, 11, 7)
    network = build(architecture, widths, schema, seed=0, encoder_norm=norm, core=ReferenceCore())
    built = sum(parameter.numel() for parameter in network.parameters())
    assert built == count_parameters(architecture, widths, schema, encoder_norm=norm)


@pytest.mark.parametrize("norm", [True, False])
@pytest.mark.parametrize("over", range(0, 400, 50))
def test_solved_widths_are_the_widest_that_fit(norm, over):
    architecture = sample(4, random.Random(0), Space(relations=False))
    budget = 157_000 + over
    widths = solve_widths(budget, architecture, ZINC, encoder_norm=norm)
    wider = Widths().scaled((widths.node + 1) / Widths().node)
    assert count_parameters(architecture, widths, ZINC, encoder_norm=norm) <= budget
    assert count_parameters(architecture, wider, ZINC, encoder_norm=norm) > budget
    assert widths.node > Widths().node


def test_a_budget_that_nothing_fits():
    with pytest.raises(ValueError, match="10 weights are too few"):
        solve_widths(10, sample(4, random.Random(0)), ZINC)
