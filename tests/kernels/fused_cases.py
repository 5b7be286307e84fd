"""Vertices for the tests of the fused core, and their comparison with the oracle."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import torch
from oracle import OracleCore
from torch import Tensor

from argnp.kernels.core import Core, Norm, Term
from argnp.kernels.fused import FusedCore
from argnp.kernels.layout import node_layout, relation_layout
from argnp.kernels.topology import Topology

NODE = ("V_MEAN", "V_SUM", "V_MAX", "V_STD", "V_GEM2", "V_GEM3")
RELATION = ("E_SUB", "E_GAUSS", "E_HAD", "E_MAX", "E_SUM", "E_MEAN")

Graph = tuple[int, list[tuple[int, int]]]  # nodes, relations as (source, target)


def topology_of(graphs: Sequence[Graph], *, undirected: bool) -> Topology:
    """Graphs laid end to end; undirected: each relation given is a pair."""
    nodes, relations, source, target, multiplicity = [0], [0], [], [], []
    degree = torch.zeros(sum(n for n, _ in graphs))
    for n, pairs in graphs:
        for s, t in sorted(pairs, key=lambda pair: pair[1]):
            source.append(nodes[-1] + s)
            target.append(nodes[-1] + t)
            degree[target[-1]] += 1
            if s != t and undirected:
                degree[source[-1]] += 1
            multiplicity.append(1.0 if s == t else 2.0)
        nodes.append(nodes[-1] + n)
        relations.append(relations[-1] + len(pairs))
    ints = [torch.tensor(x, dtype=torch.int32) for x in (source, target, nodes, relations)]
    weight = torch.tensor(multiplicity, dtype=torch.float32) if undirected else None
    return Topology(nodes[-1], *ints, degree, undirected, weight)


def random_graphs(rng: torch.Generator, count: int, nodes: int, density: float) -> list[Graph]:
    """Graphs with isolated nodes, self-loops, parallel edges, and some without any edge."""
    graphs: list[Graph] = []
    for g in range(count):
        n = int(torch.randint(1, nodes + 1, (1,), generator=rng))
        m = 0 if g % 4 == 3 else int(n * density)
        ends = torch.randint(0, n, (m, 2), generator=rng)
        graphs.append((n, [(int(s), int(t)) for s, t in ends]))
    return graphs


@dataclass
class Case:
    """A vertex with its inputs, in float64."""

    space: str
    terms: list[Term]
    topology: Topology
    bank: Tensor
    coef: Tensor
    V: list[Tensor]
    E: list[Tensor] | None
    mean: Tensor
    var: Tensor
    training: bool = True
    weights: Tensor = field(default_factory=lambda: torch.empty(0))  # of the loss
    frozen: frozenset[str] = frozenset()  # names that need no gradient

    def run(self, core: Core, dtype: torch.dtype) -> dict[str, Tensor]:
        """Output, running statistics and every gradient, in float64."""
        parts = {"bank": self.bank, "coef": self.coef}
        parts |= {f"V{i}": v for i, v in enumerate(self.V)}
        parts |= {f"E{i}": e for i, e in enumerate(self.E or ())}
        leaves = {
            name: part.to(dtype, copy=True).requires_grad_(name not in self.frozen)
            for name, part in parts.items()
        }
        norm = Norm(self.mean.to(dtype, copy=True), self.var.to(dtype, copy=True), self.training)
        topology = self.topology
        if dtype == torch.float64:
            topology = replace(topology, degree=topology.degree.double())
        V = [leaves[f"V{i}"] for i in range(len(self.V))]
        E = None if self.E is None else [leaves[f"E{i}"] for i in range(len(self.E))]
        compute = core.nodes if self.space == "nodes" else core.relations
        out = compute(self.terms, leaves["bank"], leaves["coef"], V, E, topology, norm)  # type: ignore[arg-type]
        result = {"out": out.detach(), "mean": norm.mean, "var": norm.var}
        if out.requires_grad:
            (out * self.weights.to(dtype)).sum().backward()
        for name, leaf in leaves.items():
            if leaf.requires_grad:
                result[f"d{name}"] = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
        return {name: tensor.double() for name, tensor in result.items()}


def make_case(
    space: str,
    operations: Sequence[str],
    topology: Topology,
    widths: tuple[int, int],
    *,
    seed: int = 0,
    sources: int = 2,
    relations: bool = True,
    training: bool = True,
    frozen: frozenset[str] = frozenset(),
) -> Case:
    """Random weights and streams; term k reads source k modulo ``sources``; rows in disorder."""
    rng = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=rng, dtype=torch.float64)

    d_V, d_E = widths
    layout = node_layout(d_V, d_E, relations=relations)
    if space == "relations":
        layout = relation_layout(d_V, d_E)
    d = d_V if space == "nodes" else d_E
    rows = len(operations) + 1  # one row that no term uses
    order = torch.randperm(rows, generator=rng).tolist()
    terms = [
        Term(op, k % sources, -1 if op == "skip" else order[k]) for k, op in enumerate(operations)
    ]
    bank = torch.cat(
        [
            normal(rows, *shape).flatten(1) * (1.0 / shape[0]) ** 0.5
            if len(shape) == 2
            else normal(rows, *shape) * 0.3
            for _, _, shape in layout.spans()
        ],
        1,
    )
    count = topology.num_nodes if space == "nodes" else topology.num_relations
    return Case(
        space,
        terms,
        topology,
        bank.float().double(),
        normal(len(terms), d).float().double(),
        [normal(topology.num_nodes, d_V).float().double() for _ in range(sources)],
        [normal(topology.num_relations, d_E).float().double() for _ in range(sources)]
        if relations
        else None,
        normal(rows, d).float().double(),
        normal(rows, d).float().double().square() + 0.5,
        training,
        normal(count, d).float().double(),
        frozen,
    )


def assert_agrees(case: Case, tolerance: float = 2e-4) -> dict[str, Tensor]:
    """Fused equals oracle, for each result: nine in ten errors are below ``tolerance`` times the
    largest value, and the error as a whole below ``max(tolerance, 1e-2)`` in the 2-norm.

    Not all ten: where an activation is 1e-7 from its kink, float32 and float64 may stand on
    different sides of it, and a gradient entry or two differ.
    """
    fused = case.run(FusedCore(), torch.float32)
    oracle = case.run(OracleCore(), torch.float64)
    assert fused.keys() == oracle.keys()
    for name, expected in oracle.items():
        assert fused[name].shape == expected.shape, name
        if not expected.numel():
            continue
        assert torch.isfinite(fused[name]).all(), name
        error = (fused[name] - expected).abs().flatten()
        scale = max(float(expected.abs().max()), 1e-2)
        usual = float(error.quantile(0.9)) if len(error) < 1 << 24 else 0.0
        assert usual <= tolerance * scale, f"{name}: {usual} of {scale}"
        whole = max(float(expected.norm()), 1e-2)
        assert error.norm() <= max(tolerance, 1e-2) * whole, f"{name}: {error.max()} of {scale}"
    return fused
