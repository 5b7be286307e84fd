"""One call of compiled code: a stream of a vertex, forwards or backwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Final

import torch
from torch import Tensor

from argnp.arch.space import SpaceName
from argnp.kernels import fused_abi as abi
from argnp.kernels.core import Norm, Term
from argnp.kernels.fused_memory import POOL, Lease
from argnp.kernels.topology import Topology

# Numbers of the enumerations in csrc/aggregate.h and csrc/relation_functions.h.
CODES: Final[dict[SpaceName, dict[str, int]]] = {
    "node": {"V_MEAN": 0, "V_SUM": 1, "V_MAX": 2, "V_STD": 3, "V_GEM2": 4, "V_GEM3": 5},
    "relation": {"E_SUB": 0, "E_GAUSS": 1, "E_HAD": 2, "E_MAX": 3, "E_SUM": 4, "E_MEAN": 5},
}
_ENTRY: Final = {"node": "nodes", "relation": "relations"}
KEEPS_EXTRA: Final = frozenset({"V_MAX", "V_STD"})
# Numbers kept by all vertices together above which the node MLPs are computed again instead.
ROOM: Final = 100_000_000


@dataclass(frozen=True)
class Call:
    """What a vertex is besides its tensors. ``sources`` counts the streams of either space."""

    space: SpaceName
    terms: tuple[Term, ...]
    topology: Topology
    norm: Norm

    @property
    def rows(self) -> int:
        in_nodes = self.space == "node"
        return self.topology.num_nodes if in_nodes else self.topology.num_relations


@dataclass(frozen=True)
class Operands:
    """The tensors of a call; ``V`` and ``E`` by source, ``E`` empty where relations are off."""

    bank: Tensor
    coef: Tensor
    shift: Tensor | None
    V: Sequence[Tensor]
    E: Sequence[Tensor]


@dataclass(frozen=True)
class Kept:
    """What forward leaves for backward: the structure, and memory that its pointers lead to."""

    problem: abi.Problem
    lease: Lease


@dataclass(frozen=True)
class Gradients:
    """Where backward writes; the streams' are added to, and None where not wanted."""

    bank: Tensor | None
    coef: Tensor
    shift: Tensor | None
    V: Sequence[Tensor | None]
    E: Sequence[Tensor | None]


def forward(call: Call, operands: Operands, *, keep: bool) -> tuple[Tensor, Kept]:
    """The stream, (rows, d), and with ``keep`` all that `backward` needs."""
    d, quantum = operands.coef.shape[1], abi.library().argnp_quantum()
    wide = -(-d // quantum) * quantum
    slots = sum(term.row >= 0 for term in call.terms)
    # As in csrc/problem.h; the node MLPs are kept while there is room.
    shapes: dict[str, tuple[int, ...]] = {
        "y": (slots, call.rows, wide),
        "mean": (slots, wide),
        "rstd": (slots, wide),
    }
    if keep and call.space == "node":
        extras = sum(term.operation in KEEPS_EXTRA for term in call.terms)
        shapes["aggregate"] = shapes["y"]
        shapes["extra"] = (extras, call.rows, wide)
        hidden = (slots, 2 * call.rows, wide)
        if POOL.used + sum(map(prod, shapes.values())) + prod(hidden) <= ROOM:
            shapes["hidden"] = hidden
    lease = Lease(sum(map(prod, shapes.values())))
    out = torch.empty(call.rows, d, dtype=torch.float32, device="cpu")
    problem = _problem(call, operands.bank.shape[0], len(operands.V))
    alive = _point(problem, operands)
    problem.shift, problem.out = abi.pointer(operands.shift), abi.pointer(out)
    for name, shape in shapes.items():
        setattr(problem, name, abi.pointer(lease.tensor(*shape)))
    abi.run(f"forward_{_ENTRY[call.space]}", problem)
    del alive
    return out, Kept(problem, lease)


def backward(
    call: Call, operands: Operands, kept: Kept, grad: Tensor, gradients: Gradients
) -> None:
    """From the gradient of the stream, contiguous, to those of the operands."""
    problem = kept.problem
    alive = _point(problem, operands)
    V, E = abi.pointers(gradients.V), abi.pointers(gradients.E)
    problem.grad = abi.pointer(grad)
    problem.coef_grad = abi.pointer(gradients.coef)
    problem.shift_grad = abi.pointer(gradients.shift)
    problem.bank_grad = abi.pointer(gradients.bank)
    problem.V_grad = abi.address(V) if _any(gradients.V) else None
    problem.E_grad = abi.address(E) if _any(gradients.E) else None
    abi.run(f"backward_{_ENTRY[call.space]}", problem)
    del alive


def _any(tensors: Sequence[Tensor | None]) -> bool:
    return any(tensor is not None for tensor in tensors)


@dataclass(frozen=True)
class _Table:
    """Terms as the compiled code reads them, sorted by source."""

    index: abi.Numbers
    operation: abi.Numbers
    source: abi.Numbers
    row: abi.Numbers


@cache
def _table(space: SpaceName, terms: tuple[Term, ...]) -> _Table:
    order = sorted(range(len(terms)), key=lambda i: terms[i].source)
    ranked = [terms[i] for i in order]
    return _Table(
        index=abi.numbers(order),
        operation=abi.numbers([CODES[space].get(term.operation, -1) for term in ranked]),
        source=abi.numbers([term.source for term in ranked]),
        row=abi.numbers([term.row for term in ranked]),
    )


def _point(problem: abi.Problem, operands: Operands) -> object:
    """Set the pointers to operands. They must live as long as the result and these are used."""
    V, E = abi.pointers(operands.V), abi.pointers(operands.E)
    problem.bank, problem.coef = abi.pointer(operands.bank), abi.pointer(operands.coef)
    problem.V, problem.E = abi.address(V), abi.address(E) if operands.E else None
    problem.node_dim = operands.V[0].shape[1]
    problem.edge_dim = operands.E[0].shape[1] if operands.E else 0
    return V, E


def _problem(call: Call, bank_rows: int, sources: int) -> abi.Problem:
    """The structure, without operands and memory. Tables stay in their cache."""
    topology, norm = call.topology, call.norm
    table = _table(call.space, call.terms)
    return abi.Problem(
        nodes=topology.num_nodes,
        relations=topology.num_relations,
        graphs=topology.num_graphs,
        edge_source=abi.pointer(topology.source),
        edge_target=abi.pointer(topology.target),
        node_ptr=abi.pointer(topology.node_ptr),
        relation_ptr=abi.pointer(topology.relation_ptr),
        degree=abi.pointer(topology.degree),
        multiplicity=abi.pointer(topology.multiplicity),
        undirected=int(topology.undirected),
        threads=torch.get_num_threads(),
        terms=len(call.terms),
        sources=sources,
        bank_rows=bank_rows,
        index=abi.address(table.index),
        operation=abi.address(table.operation),
        source=abi.address(table.source),
        row=abi.address(table.row),
        running_mean=abi.pointer(norm.mean),
        running_var=abi.pointer(norm.var),
        training=int(norm.training),
    )
