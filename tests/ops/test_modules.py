import pytest
import torch

from argnp.errors import UserError
from argnp.kernels.layout import node_layout
from argnp.ops.initialise import initialise
from argnp.ops.modules import NodeOperation, RelationOperation
from argnp.ops.topology import topology_from_edge_index


class Handwritten(torch.nn.Module):
    """A network around two operations, as somebody else would write it."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes = NodeOperation("V_GEM3", 4, 3)
        self.relations = RelationOperation("E_HAD", 4, 3, seed=1)
        self.head = torch.nn.Linear(4, 1)

    def forward(self, data):
        topology = topology_from_edge_index(data.edge_index, data.num_nodes, data.batch)
        E = self.relations(data.x, data.edge_attr, topology)
        return self.head(self.nodes(data.x, E, topology))


def test_an_operation_trains_inside_a_handwritten_model():
    geometric = pytest.importorskip("torch_geometric.data")
    generator = torch.Generator().manual_seed(0)
    edge_index = torch.tensor([[2, 0, 1, 2], [0, 1, 2, 1]])
    graph = geometric.Data(
        x=torch.randn(3, 4, generator=generator),
        edge_index=edge_index,
        edge_attr=torch.randn(4, 3, generator=generator),
    )
    batch = geometric.Batch.from_data_list([graph, graph])
    model = Handwritten()
    wanted = torch.tensor([[1.0], [0], [-1]]).repeat(2, 1)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    losses = []
    for _ in range(60):
        optimiser.zero_grad()
        loss = (model(batch) - wanted).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.1 * losses[0]


def test_state_goes_along():
    one, other = NodeOperation("V_STD", 4, 3, seed=0), NodeOperation("V_STD", 4, 3, seed=5)
    assert not torch.equal(one.weights, other.weights)
    other.load_state_dict(one.state_dict())
    assert torch.equal(one.weights, other.weights)
    assert set(one.state_dict()) == {"weights", "scale", "shift", "running_mean", "running_var"}


def test_without_affine_part_there_is_only_the_bank_row():
    module = RelationOperation("E_SUM", 4, 3, affine=False)
    assert [name for name, _ in module.named_parameters()] == ["weights"]


def test_a_misspelt_operation_is_named():
    with pytest.raises(UserError, match="'E_HAD' is unknown; there are V_MEAN"):
        NodeOperation("E_HAD", 4, 3)


def test_initial_weights_fill_a_linears_bounds():
    layout = node_layout(9, 4)
    rows = torch.full((50, layout.size), 9.0)
    initialise(rows, layout, torch.Generator().manual_seed(0))
    for name, values in layout.views(rows).items():
        bound = (4 if name.split(".")[0] in {"film1", "film2", "gamma", "beta"} else 9) ** -0.5
        assert 0.95 * bound < values.abs().max() <= bound, name
        assert values.mean().abs() < 0.1 * bound, name
