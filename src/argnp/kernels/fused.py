"""The fused core: a vertex in one call of compiled code, on the CPU in float32.

Between forward and backward it keeps the values before BatchNorm and the aggregates, and the node
MLPs while there is room; messages and films are computed again, tile by tile, while they are in
cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from argnp.arch.vocabulary import SKIP
from argnp.kernels import fused_abi as abi
from argnp.kernels.build import BuildError
from argnp.kernels.core import Norm, Term
from argnp.kernels.fused_memory import POOL, Lease
from argnp.kernels.layout import node_layout, relation_layout
from argnp.kernels.topology import Topology

# Numbers of the enumerations in csrc/aggregate.h and csrc/relation_functions.h.
_NODE_CODES: Final = {"V_MEAN": 0, "V_SUM": 1, "V_MAX": 2, "V_STD": 3, "V_GEM2": 4, "V_GEM3": 5}
_RELATION_CODES: Final = {"E_SUB": 0, "E_GAUSS": 1, "E_HAD": 2, "E_MAX": 3, "E_SUM": 4, "E_MEAN": 5}
_KEEPS_EXTRA: Final = frozenset({"V_MAX", "V_STD"})
# Numbers kept by all vertices together above which the node MLPs are computed again instead.
ROOM: Final = 100_000_000


def supports(operation: str) -> bool:
    """Whether the compiled kernels know an operation."""
    return operation == SKIP or operation in _NODE_CODES or operation in _RELATION_CODES


def unavailable() -> str | None:
    """Why the compiled kernels cannot be used on this machine; None where they can."""
    try:
        abi.library()
    except BuildError as error:
        return str(error)
    return None


class FusedCore:
    """Implements ``argnp.kernels.core.Core``."""

    name = "fused"

    def nodes(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor] | None,
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        """Node stream of a vertex, (n, d_V). ``E`` is None where relations are off."""
        return _vertex(_Call("nodes", tuple(terms), topology, norm), bank, coef, V, E)

    def relations(
        self,
        terms: Sequence[Term],
        bank: Tensor,
        coef: Tensor,
        V: Sequence[Tensor],
        E: Sequence[Tensor],
        topology: Topology,
        norm: Norm,
    ) -> Tensor:
        """Relation stream of a vertex, (R, d_E)."""
        return _vertex(_Call("relations", tuple(terms), topology, norm), bank, coef, V, E)


@dataclass(frozen=True)
class _Call:
    """What a vertex is besides its tensors."""

    space: str
    terms: tuple[Term, ...]
    topology: Topology
    norm: Norm

    @property
    def in_nodes(self) -> bool:
        return self.space == "nodes"

    @property
    def rows(self) -> int:
        return self.topology.num_nodes if self.in_nodes else self.topology.num_relations

    @property
    def slots(self) -> int:
        return sum(term.row >= 0 for term in self.terms)

    @property
    def extras(self) -> int:
        return sum(term.operation in _KEEPS_EXTRA for term in self.terms)


@dataclass(frozen=True)
class _Kept:
    """What forward leaves for backward. S terms have a bank row; D is d padded."""

    lease: Lease  # of the memory of all that follows
    y: Tensor  # (S, rows, D)
    mean: Tensor  # (S, D)
    rstd: Tensor  # (S, D)
    aggregate: Tensor | None = None  # (S, n, D)
    extra: Tensor | None = None  # (terms of MAX and STD, n, D)
    hidden: Tensor | None = None  # (S, 2 n, D): of the node MLPs, while there is room


def _vertex(
    call: _Call, bank: Tensor, coef: Tensor, V: Sequence[Tensor], E: Sequence[Tensor] | None
) -> Tensor:
    streams = [stream.contiguous() for stream in (*V, *(E or ()))]
    coef = coef.contiguous()
    count = len(V)
    _check(call, bank, coef, streams[:count], None if E is None else streams[count:])
    given = (bank, coef, *streams)
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in given):
        out: Tensor = _Vertex.apply(call, count, *given)  # type: ignore[no-untyped-call]
        return out
    return _forward(call, bank, coef, streams, count, keep=False)[0]


class _Vertex(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: _Call, count: int, *given: Tensor) -> Tensor:
        bank, coef, *streams = given
        out, ctx.kept = _forward(call, bank, coef, streams, count, keep=True)
        ctx.call, ctx.count = call, count
        ctx.save_for_backward(*given)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        bank, coef, *streams = ctx.saved_tensors
        call, kept, count = ctx.call, ctx.kept, ctx.count
        needs_bank, _, *needs_stream = ctx.needs_input_grad[2:]
        coef_grad = torch.empty_like(coef)
        bank_grad = torch.zeros_like(bank) if needs_bank else None
        grads = [
            torch.zeros_like(stream) if need else None
            for stream, need in zip(streams, needs_stream, strict=True)
        ]
        grad = grad.contiguous()
        problem, alive = _problem(call, bank, coef, streams, count, kept)
        V_grad, E_grad = abi.pointers(grads[:count]), abi.pointers(grads[count:])
        problem.grad = abi.pointer(grad)
        problem.coef_grad = abi.pointer(coef_grad)
        problem.bank_grad = abi.pointer(bank_grad)
        problem.V_grad = abi.address(V_grad) if any(needs_stream[:count]) else None
        problem.E_grad = abi.address(E_grad) if any(needs_stream[count:]) else None
        abi.run(f"backward_{call.space}", problem)
        del alive
        return None, None, bank_grad, coef_grad, *grads


def _forward(
    call: _Call, bank: Tensor, coef: Tensor, streams: Sequence[Tensor], count: int, *, keep: bool
) -> tuple[Tensor, _Kept]:
    d, quantum = coef.shape[1], abi.library().argnp_quantum()
    wide = -(-d // quantum) * quantum
    shapes: dict[str, tuple[int, ...]] = {
        "y": (call.slots, call.rows, wide),
        "mean": (call.slots, wide),
        "rstd": (call.slots, wide),
    }
    if keep and call.in_nodes:
        shapes["aggregate"] = shapes["y"]
        shapes["extra"] = (call.extras, call.rows, wide)
        hidden = (call.slots, 2 * call.rows, wide)
        if POOL.used + sum(map(prod, shapes.values())) + prod(hidden) <= ROOM:
            shapes["hidden"] = hidden
    lease = Lease(sum(map(prod, shapes.values())))
    kept = _Kept(lease, **{name: lease.tensor(*shape) for name, shape in shapes.items()})
    out = torch.empty(call.rows, d)
    problem, alive = _problem(call, bank, coef, streams, count, kept)
    problem.out = abi.pointer(out)
    abi.run(f"forward_{call.space}", problem)
    del alive
    return out, kept


def _problem(
    call: _Call,
    bank: Tensor,
    coef: Tensor,
    streams: Sequence[Tensor],
    count: int,
    kept: _Kept,
) -> tuple[abi.Problem, object]:
    """The structure, and what has to live as long as it is used."""
    topology, norm = call.topology, call.norm
    order = sorted(range(len(call.terms)), key=lambda i: call.terms[i].source)
    terms = [call.terms[i] for i in order]
    codes = _NODE_CODES if call.in_nodes else _RELATION_CODES
    index = abi.numbers(order)
    operation = abi.numbers([codes.get(term.operation, -1) for term in terms])
    source = abi.numbers([term.source for term in terms])
    row = abi.numbers([term.row for term in terms])
    V, E = abi.pointers(streams[:count]), abi.pointers(streams[count:])
    relations = len(streams) > count
    problem = abi.Problem(
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
        node_dim=streams[0].shape[1],
        edge_dim=streams[count].shape[1] if relations else 0,
        terms=len(terms),
        sources=count,
        bank_rows=bank.shape[0],
        index=abi.address(index),
        operation=abi.address(operation),
        source=abi.address(source),
        row=abi.address(row),
        bank=abi.pointer(bank),
        coef=abi.pointer(coef),
        V=abi.address(V),
        E=abi.address(E) if relations else None,
        running_mean=abi.pointer(norm.mean),
        running_var=abi.pointer(norm.var),
        training=int(norm.training),
        y=abi.pointer(kept.y),
        aggregate=abi.pointer(kept.aggregate),
        hidden=abi.pointer(kept.hidden),
        extra=abi.pointer(kept.extra),
        mean=abi.pointer(kept.mean),
        rstd=abi.pointer(kept.rstd),
    )
    return problem, (index, operation, source, row, V, E)


def _check(
    call: _Call, bank: Tensor, coef: Tensor, V: Sequence[Tensor], E: Sequence[Tensor] | None
) -> None:
    """What the compiled code takes for granted. A caller that breaks it has a bug."""
    topology, norm = call.topology, call.norm
    n, relations, terms = topology.num_nodes, topology.num_relations, call.terms
    d_V, d_E = V[0].shape[1], 0 if E is None else E[0].shape[1]
    d = d_V if call.in_nodes else d_E
    layout = node_layout(d_V, d_E, relations=E is not None)
    if not call.in_nodes:
        layout = relation_layout(d_V, d_E)
    rows = [term.row for term in terms if term.row >= 0]
    floats = (bank, coef, norm.mean, norm.var, *V, *(E or ()))
    ints = (topology.source, topology.target, topology.node_ptr, topology.relation_ptr)
    codes = _NODE_CODES if call.in_nodes else _RELATION_CODES
    wrong = {
        "tensors on the CPU": any(t.device.type != "cpu" for t in (*floats, *ints)),
        "float32": any(t.dtype != torch.float32 for t in (*floats, topology.degree)),
        "int32 topology": any(t.dtype != torch.int32 for t in ints),
        "contiguous tensors": not all(t.is_contiguous() for t in (*floats, *ints)),
        f"streams V of ({n}, {d_V})": any(v.shape != (n, d_V) for v in V),
        f"streams E of ({relations}, {d_E})": any(e.shape != (relations, d_E) for e in E or ()),
        "as many streams E as V": E is not None and len(E) != len(V),
        f"coef of ({len(terms)}, {d})": coef.shape != (len(terms), d),
        f"bank rows of {layout.size}": bank.dim() != 2 or bank.shape[1] != layout.size,
        "running statistics of (rows, d)": norm.mean.shape != (bank.shape[0], d)
        or norm.var.shape != norm.mean.shape,
        "sources among the streams": any(not 0 <= t.source < len(V) for t in terms),
        "every bank row at most once": len(set(rows)) != len(rows)
        or any(row >= bank.shape[0] for row in rows),
        "operations it knows": any(
            t.operation not in codes if t.row >= 0 else t.operation != SKIP for t in terms
        ),
    }
    broken = [what for what, is_wrong in wrong.items() if is_wrong]
    if broken:
        raise AssertionError(f"the fused core takes {'; '.join(broken)}")
