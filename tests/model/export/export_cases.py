"""Networks to export, and the same graphs as a batch and as plain tensors."""

from dataclasses import dataclass, field
from itertools import pairwise

import torch
from torch import Tensor

from argnp.arch import Architecture, Link, Space, Vertex
from argnp.data.batch import GraphBatch
from argnp.data.schema import Encoding, Features, Kind, Level, RelationMode, Schema, Task
from argnp.heads.scaling import Scaling
from argnp.kernels.topology import Topology
from argnp.model.export import Exported, write_out
from argnp.nets.cores import choose
from argnp.nets.network import Network, build
from argnp.nets.widths import Widths

WIDTHS = Widths(6, 4, 7, 5)
CODES, FLOATS, NONE = Features("codes", (5, 3)), Features("floats", width=3), Features("none")
LAP = Encoding("lap", 4)

# Nodes of each graph and edges of each, before reverses are added: isolated nodes, a single
# node, a graph without edges, one without anything.
USUAL = ((5, 7), (1, 0), (4, 3), (3, 0), (0, 0), (9, 20))
SIZES = (USUAL, ((1, 0),), ((1, 1),), ((6, 0), (2, 0)), ((2, 1),), tuple((8, 12) for _ in range(9)))


def every_operation(*, cells: int = 1, relations: bool = True) -> Architecture:
    """Four vertices whose links are all operations of both spaces, skip among them."""
    sources = ((-1, 0), (-1, 1), (1, 2), (3, 0))
    space = Space(cells=cells, relations=relations)
    node, relation = iter([*space.choices("node"), "V_MAX"]), iter(space.choices("relation"))
    links = [
        (
            tuple(Link(source, next(node)) for source in pair),
            tuple(Link(source, next(relation, "E_SUB")) for source in pair) if relations else (),
        )
        for pair in sources
    ]
    return Architecture(tuple(Vertex(*both) for both in links), space)


@dataclass(frozen=True)
class Case:
    """A task on graphs of some kind; what it leaves out is the simplest."""

    level: Level = "graph"
    kind: Kind = "regression"
    outputs: int = 2
    labels: tuple[str, ...] = ()
    pairs: bool = False
    node: Features = FLOATS
    edge: Features = FLOATS
    encoding: Encoding = field(default_factory=Encoding)
    relations: RelationMode = "directed"

    @property
    def schema(self) -> Schema:
        task = Task(self.level, self.kind, self.outputs, self.labels, self.pairs)
        return Schema(task, self.node, self.edge, self.encoding, self.relations)

    @property
    def scaling(self) -> Scaling | None:
        if self.kind != "regression":
            return None
        return Scaling((1.5,) * self.outputs, (2.0,) * self.outputs)

    def network(
        self,
        architecture: Architecture,
        dtype: torch.dtype = torch.float64,
        *,
        seed: int = 0,
        **options: object,
    ) -> Network:
        """As trained: nothing of it is left as it was initialised."""
        network = build(
            architecture, WIDTHS, self.schema, seed=seed, core=choose("torch").core, **options
        )
        generator = torch.Generator().manual_seed(seed)
        for name, value in network.state_dict().items():
            if value.is_floating_point():
                noise = torch.rand(value.shape, generator=generator)
                value.copy_(0.5 + noise if name.endswith("var") else value + 0.3 * (noise - 0.5))
        return network.to(dtype).eval()

    def exported(self, architecture: Architecture, *networks: Network) -> Exported:
        return write_out(networks, architecture, self.schema, WIDTHS, self.scaling)

    def graphs(self, sizes=USUAL, dtype=torch.float64, seed: int = 0) -> "Graphs":
        return Graphs(self, sizes, dtype, torch.Generator().manual_seed(seed))


class Graphs:
    """``arguments`` of the exported module and the ``batch`` of the network.

    Predictions of the batch, at ``rows``, are those of the exported module.
    """

    def __init__(self, case: Case, sizes, dtype, generator: torch.Generator) -> None:
        self.case, self.dtype, self.generator = case, dtype, generator
        counts = torch.tensor([nodes for nodes, _ in sizes])
        starts = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
        undirected = case.relations == "undirected"
        held, graph = self._held(sizes, starts.tolist(), undirected)
        n, m = int(starts[-1]), held.shape[1]
        loop = held[0] == held[1]
        edge_index, row = held, torch.arange(m)
        if undirected:
            edge_index = torch.cat([held, held[:, ~loop].flip(0)], 1)
            row = torch.cat([row, row[~loop]])
        shuffled = torch.randperm(edge_index.shape[1], generator=generator)
        edge_index, row = edge_index[:, shuffled], row[shuffled]
        node, edge = self._columns(n, case.node), self._columns(m, case.edge)
        encoding = self._floats(n, case.encoding.width) if case.encoding.width else None
        pairs = torch.randint(max(n, 1), (2, 2 * n), generator=generator) if case.pairs else None
        self.batch = GraphBatch(
            topology=Topology(
                num_nodes=n,
                source=held[0].int(),
                target=held[1].int(),
                node_ptr=starts.int(),
                relation_ptr=torch.searchsorted(graph, torch.arange(len(sizes) + 1)).int(),
                degree=torch.bincount(edge_index[1], minlength=n).float(),
                undirected=undirected,
                multiplicity=torch.where(loop, 1.0, 2.0) if undirected else None,
            ),
            node=node,
            edge=edge,
            encoding=encoding,
            edge_label_index=pairs,
        )
        by_relation = case.level == "edge" and not case.pairs
        self.rows = row if by_relation else slice(None)
        every: dict[str, Tensor | int | None] = {
            "x": torch.ones(n, 1, dtype=dtype) if node is None else node,
            "edge_index": edge_index,
            "edge_attr": None if edge is None else edge[row],
            "encoding": encoding,
            "edge_label_index": pairs,
            "batch": torch.arange(len(sizes)).repeat_interleave(counts),
            "num_graphs": len(sizes),
        }
        self.every = every

    def arguments(self, exported: Exported) -> dict[str, Tensor | int]:
        return {name: self.every[name] for name in exported.shape.arguments}

    def expected(self, *networks: Network) -> Tensor:
        """What the networks say, in the units of the targets."""
        from argnp.model.units import combine

        outputs = combine(torch.stack([n(self.batch) for n in networks]), self.case.kind)
        scaling = self.case.scaling
        return (outputs if scaling is None else scaling.inverse(outputs))[self.rows]

    def _held(self, sizes, starts, undirected: bool) -> tuple[Tensor, Tensor]:
        """(2, R) relations, by graph and target, and the graph of each."""
        held, graph = [torch.zeros(2, 0, dtype=torch.int64)], []
        for number, ((nodes, edges), (start, _)) in enumerate(
            zip(sizes, pairwise(starts), strict=True)
        ):
            ends = torch.randint(max(nodes - 1, 1), (2, edges), generator=self.generator)
            if undirected:
                ends = ends.sort(0).values.unique(dim=1)
            held.append(start + ends[:, ends[1].argsort(stable=True)])
            graph += [number] * ends.shape[1]
        return torch.cat(held, 1), torch.tensor(graph, dtype=torch.int64)

    def _columns(self, rows: int, features: Features) -> Tensor | None:
        if features.kind == "none":
            return None
        if features.kind == "floats":
            return self._floats(rows, features.width)
        columns = [
            torch.randint(size + 1, (rows,), generator=self.generator) for size in features.sizes
        ]
        return torch.stack(columns, 1)

    def _floats(self, rows: int, width: int) -> Tensor:
        return torch.randn(rows, width, generator=self.generator, dtype=self.dtype)
