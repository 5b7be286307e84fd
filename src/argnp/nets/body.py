"""The searched part of the network: cells of vertices, each a pair of streams."""

from collections.abc import Collection, Mapping

import torch
from torch import Tensor, nn

from argnp.arch import IN0, IN1, Architecture
from argnp.arch.space import SpaceName
from argnp.heads.batchnorm import WeightedBatchNorm
from argnp.kernels.core import Core, Pair, Step
from argnp.kernels.layout import node_layout, relation_layout
from argnp.kernels.topology import Topology
from argnp.nets.bank import Bank
from argnp.nets.compile import Plan, alive, bank_rows, mixture_index, plan
from argnp.nets.widths import Widths

# Mixture weights of a space, flattened (links x operations), with a 1 at the end for terms that
# no mixture scales.
Mixture = Mapping[SpaceName, Tensor]


Streams = frozenset[tuple[SpaceName, int]]


class Cell(nn.Module):
    """All vertices of a cell, and the Linear over all of them that ends it.

    ``V_g = act(BN(W_V [act(V_in0) | act(V_in1) | act(V_1) | .. | act(V_N)]))``, ``E_g``
    likewise; ``in0`` stands once where it equals ``in1``.
    """

    def __init__(
        self, architecture: Architecture, widths: Widths, *, first: bool, affine: bool
    ) -> None:
        super().__init__()
        self.names = architecture.space.names
        self.first = first
        self.affine = affine
        layouts = {
            "node": node_layout(widths.node, widths.edge, relations=architecture.space.relations),
            "relation": relation_layout(widths.node, widths.edge),
        }
        inner = {"node": widths.node, "relation": widths.edge}
        outer = {"node": widths.node_out, "relation": widths.edge_out}
        self.rows = {
            (name, vertex): bank_rows(architecture, name, vertex)
            for name in self.names
            for vertex in range(1, len(architecture) + 1)
        }
        self.banks = nn.ModuleDict(
            {
                f"{name}{vertex}": Bank(layouts[name], len(rows), inner[name], affine=affine)
                for (name, vertex), rows in self.rows.items()
            }
        )
        blocks = len(architecture) + (1 if first else 2)
        self.gather = nn.ModuleDict(
            {n: nn.Linear(blocks * inner[n], outer[n], bias=False) for n in self.names}
        )
        self.norm = nn.ModuleDict({n: WeightedBatchNorm(outer[n]) for n in self.names})

    def bank(self, space: SpaceName, vertex: int) -> Bank:
        bank = self.banks[f"{space}{vertex}"]
        assert isinstance(bank, Bank)
        return bank

    def vertices(
        self,
        in0: Pair,
        in1: Pair,
        plans: Mapping[tuple[SpaceName, int], Plan],
        living: Streams,
        mixture: Mixture | None,
        topology: Topology,
        core: Core,
    ) -> dict[int, Pair]:
        """The living streams of the cell, by number of their vertex, inputs included."""
        steps = [
            self._step(space, vertex, plans[space, vertex], mixture)
            for vertex in range(1, 1 + max(number for _, number in plans))
            for space in self.names
            if (space, vertex) in living
        ]
        return core.cell(steps, {IN0: in0, IN1: in1}, topology)

    def _step(self, space: SpaceName, vertex: int, planned: Plan, mixture: Mixture | None) -> Step:
        bank = self.bank(space, vertex)
        if self.affine:
            coef = bank.coefficients([term.row for term in planned.terms])
        else:
            assert mixture is not None
            entries = torch.tensor(planned.weights, device=bank.weight.device)
            coef = mixture[space][entries].unsqueeze(1).expand(-1, bank.mean.shape[1])
        return Step(
            space=space,
            vertex=vertex,
            sources=planned.sources,
            terms=planned.terms,
            bank=bank.weight,
            coef=coef.contiguous(),
            shift=None if bank.shift is None else bank.shift.sum(0),
            norm=bank.norm(),
        )

    def forward(
        self,
        streams: Mapping[int, Pair],
        topology: Topology,
        core: Core,
        outputs: Collection[SpaceName],
    ) -> Pair:
        """What the cell hands on, from all its streams."""
        kept = [pair for number, pair in streams.items() if number != IN1 or not self.first]
        V = E = None
        if "node" in outputs:
            V = self._gather("node", [pair.V for pair in kept if pair.V is not None], core, None)
        if "relation" in outputs:
            relations = [pair.E for pair in kept if pair.E is not None]
            E = self._gather("relation", relations, core, topology.multiplicity)
        return Pair(V, E)

    def _gather(
        self, space: SpaceName, streams: list[Tensor], core: Core, weight: Tensor | None
    ) -> Tensor:
        linear = self.gather[space]
        assert isinstance(linear, nn.Linear)
        gathered = core.gather(streams, linear.weight)
        norm = self.norm[space]
        assert isinstance(norm, WeightedBatchNorm)
        return core.norm_act(gathered, weight, norm.norm())


class Body(nn.Module):
    """Cells in a row; each takes the outputs of the two before it.

    While the architecture has mixture links this is a supernet: `adopt` takes over its later
    states, in which links have been decided or pruned, and what is pruned costs nothing.
    """

    def __init__(
        self, architecture: Architecture, widths: Widths, outputs: Collection[SpaceName]
    ) -> None:
        """``outputs``: the streams that the head reads; what reaches neither is not computed."""
        super().__init__()
        self.names = architecture.space.names
        self.outputs = tuple(name for name in self.names if name in outputs)
        affine = architecture.decided
        self.cells = nn.ModuleList(
            Cell(architecture, widths, first=index == 0, affine=affine)
            for index in range(architecture.cells)
        )
        self._mixtures = {
            name: mixture_index(architecture, name) for name in architecture.space.names
        }
        back = range(architecture.cells - 1)
        self.back_node = nn.ModuleList(
            nn.Linear(widths.node_out, widths.node, bias=False) for _ in back
        )
        self.back_edge = nn.ModuleList(
            nn.Linear(widths.edge_out, widths.edge, bias=False)
            for _ in back
            if architecture.space.relations
        )
        self.adopt(architecture)

    def adopt(self, architecture: Architecture) -> None:
        """Follow a further decided state of the architecture this body was built from."""
        first = self.cells[0]
        assert isinstance(first, Cell)
        self.plans = {
            (name, vertex): plan(architecture, name, vertex, rows, self._mixtures[name])
            for (name, vertex), rows in first.rows.items()
        }

    def streams(
        self,
        inputs: Pair,
        topology: Topology,
        core: Core,
        mixture: Mixture | None = None,
        *,
        every: bool = False,
    ) -> tuple[Pair, list[dict[int, Pair]]]:
        """The body's output, and the streams of every cell; with ``every``, dead ones too."""
        in0 = in1 = inputs
        seen: list[dict[int, Pair]] = []
        output = inputs
        last = len(self.cells) - 1
        for index, cell in enumerate(self.cells):
            assert isinstance(cell, Cell)
            wanted = self.outputs if index == last and not every else self.names
            living = alive(self.plans, wanted)
            seen.append(cell.vertices(in0, in1, self.plans, living, mixture, topology, core))
            output = cell(seen[-1], topology, core, wanted)
            if index < last:
                V = self.back_node[index](output.V)
                E = None if output.E is None else self.back_edge[index](output.E)
                in0, in1 = in1, Pair(V, E)
        return output, seen

    def forward(
        self, inputs: Pair, topology: Topology, core: Core, mixture: Mixture | None = None
    ) -> Pair:
        return self.streams(inputs, topology, core, mixture)[0]
