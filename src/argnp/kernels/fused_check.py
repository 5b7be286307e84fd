"""What the compiled code takes for granted. A caller that breaks it has a bug."""

from functools import lru_cache

import torch

from argnp.arch.space import SpaceName
from argnp.arch.vocabulary import SKIP
from argnp.kernels.core import Term
from argnp.kernels.fused_vertex import CODES, Call, Operands
from argnp.kernels.layout import node_layout, relation_layout


def check(call: Call, operands: Operands) -> None:
    """Assert that tensors are what the call says they are."""
    topology, norm = call.topology, call.norm
    bank, coef, shift, V, E = (
        operands.bank,
        operands.coef,
        operands.shift,
        operands.V,
        operands.E,
    )
    n, relations = topology.num_nodes, topology.num_relations
    d_V, d_E = V[0].shape[1], E[0].shape[1] if E else 0
    d = d_V if call.space == "node" else d_E
    floats = (bank, coef, norm.mean, norm.var, *V, *E, *(() if shift is None else (shift,)))
    ints = (topology.source, topology.target, topology.node_ptr, topology.relation_ptr)
    wrong = {
        "tensors on the CPU": not all(t.is_cpu for t in (*floats, *ints)),
        "float32": any(t.dtype is not torch.float32 for t in (*floats, topology.degree)),
        "int32 topology": any(t.dtype is not torch.int32 for t in ints),
        "contiguous tensors": not all(t.is_contiguous() for t in (*floats, *ints)),
        f"streams V of ({n}, {d_V})": any(v.shape != (n, d_V) for v in V),
        f"streams E of ({relations}, {d_E})": any(e.shape != (relations, d_E) for e in E),
        "as many streams E as V": bool(E) and len(E) != len(V),
        f"coef of ({len(call.terms)}, {d})": coef.shape != (len(call.terms), d),
        f"a shift of ({d},)": shift is not None and shift.shape != (d,),
        "bank rows of another width": bank.dim() != 2
        or bank.shape[1] != _row_size(call.space, d_V, d_E, bool(E)),
        "running statistics of (rows, d)": norm.mean.shape != (bank.shape[0], d)
        or norm.var.shape != norm.mean.shape,
        **_wrong_terms(call.space, call.terms, len(V), bank.shape[0]),
    }
    broken = [what for what, is_wrong in wrong.items() if is_wrong]
    if broken:
        raise AssertionError(f"the fused core takes {'; '.join(broken)}")
    if topology.flaw is not None:  # looked for once; compiled code would write out of bounds
        raise AssertionError(topology.flaw)


@lru_cache(maxsize=256)
def _row_size(space: SpaceName, d_V: int, d_E: int, relations: bool) -> int:
    if space == "relation":
        return relation_layout(d_V, d_E).size
    return node_layout(d_V, d_E, relations=relations).size


@lru_cache(maxsize=4096)
def _wrong_terms(
    space: SpaceName, terms: tuple[Term, ...], sources: int, bank_rows: int
) -> dict[str, bool]:
    rows = [term.row for term in terms if term.row >= 0]
    return {
        "sources among the streams": any(not 0 <= t.source < sources for t in terms),
        "every bank row at most once": len(set(rows)) != len(rows)
        or any(row >= bank_rows for row in rows),
        "operations it knows": any(
            t.operation not in CODES[space] if t.row >= 0 else t.operation != SKIP for t in terms
        ),
    }
