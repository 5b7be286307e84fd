"""What the compiled code takes for granted. A caller that breaks it has a bug."""

from collections.abc import Iterator
from functools import lru_cache

import torch

from argnp.arch.space import SpaceName
from argnp.arch.vocabulary import SKIP
from argnp.kernels.core import Term
from argnp.kernels.fused_vertex import CODES, Call, Operands
from argnp.kernels.layout import node_layout, relation_layout


def check(call: Call, operands: Operands) -> None:
    """Assert that tensors are what the call says they are."""
    broken = [what for is_wrong, what in _faults(call, operands) if is_wrong]
    if broken:
        raise AssertionError(f"the fused core takes {'; '.join(broken)}")
    if call.topology.flaw is not None:  # looked for once; compiled code would write out of bounds
        raise AssertionError(call.topology.flaw)


def _faults(call: Call, operands: Operands) -> Iterator[tuple[bool, str]]:
    """Whether something is wrong, and what would be right. Plain words: they are asked for in
    every step, and said hardly ever."""
    topology, norm = call.topology, call.norm
    bank, coef, shift = operands.bank, operands.coef, operands.shift
    V, E = operands.V, operands.E
    d_V, d_E = V[0].shape[1], E[0].shape[1] if E else 0
    d = d_V if call.space == "node" else d_E
    of_V, of_E = (topology.num_nodes, d_V), (topology.num_relations, d_E)
    floats = [bank, coef, norm.mean, norm.var, *V, *E]
    if shift is not None:
        floats.append(shift)
    ints = (topology.source, topology.target, topology.node_ptr, topology.relation_ptr)
    every = [*floats, *ints]
    yield not all(t.is_cpu for t in every), "tensors on the CPU"
    yield any(t.dtype is not torch.float32 for t in (*floats, topology.degree)), "float32"
    yield any(t.dtype is not torch.int32 for t in ints), "int32 topology"
    yield not all(t.is_contiguous() for t in every), "contiguous tensors"
    yield any(v.shape != of_V for v in V), "streams V of (nodes, d_V)"
    yield any(e.shape != of_E for e in E), "streams E of (relations, d_E)"
    yield bool(E) and len(E) != len(V), "as many streams E as V"
    yield coef.shape != (len(call.terms), d), "coef of (terms, d)"
    yield shift is not None and shift.shape != (d,), "a shift of (d,)"
    size = _row_size(call.space, d_V, d_E, bool(E))
    yield bank.dim() != 2 or bank.shape[1] != size, "bank rows of the layout's size"
    of_norm = (bank.shape[0], d)
    yield norm.mean.shape != of_norm or norm.var.shape != of_norm, "running statistics of (rows, d)"
    for what in _wrong_terms(call.space, call.terms, len(V), bank.shape[0]):
        yield True, what


@lru_cache(maxsize=256)
def _row_size(space: SpaceName, d_V: int, d_E: int, relations: bool) -> int:
    if space == "relation":
        return relation_layout(d_V, d_E).size
    return node_layout(d_V, d_E, relations=relations).size


@lru_cache(maxsize=4096)
def _wrong_terms(
    space: SpaceName, terms: tuple[Term, ...], sources: int, bank_rows: int
) -> tuple[str, ...]:
    rows = [term.row for term in terms if term.row >= 0]
    wrong = {
        "sources among the streams": any(not 0 <= t.source < sources for t in terms),
        "every bank row at most once": len(set(rows)) != len(rows)
        or any(row >= bank_rows for row in rows),
        "operations it knows": any(
            t.operation not in CODES[space] if t.row >= 0 else t.operation != SKIP for t in terms
        ),
    }
    return tuple(what for what, is_wrong in wrong.items() if is_wrong)
