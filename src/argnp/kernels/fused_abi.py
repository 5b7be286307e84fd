"""The structures that the C++ entry points read: the twins of csrc/problem.h, gather.h,
norm_act.h, readout.h and neighbours.h."""

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from torch import Tensor

from argnp.kernels.build import BuildError, load

_POINTERS_TO_TOPOLOGY: Final = (
    "edge_source",
    "edge_target",
    "node_ptr",
    "relation_ptr",
    "degree",
    "multiplicity",
)
_SIZES: Final = ("node_dim", "edge_dim", "terms", "sources", "bank_rows")
_INPUTS: Final = ("index", "operation", "source", "row", "bank", "coef", "shift", "V", "E")
_RESULTS: Final = ("out", "y", "aggregate", "hidden", "extra", "mean", "rstd")
_BACKWARD: Final = ("grad", "coef_grad", "shift_grad", "bank_grad", "V_grad", "E_grad")


Numbers = ctypes.Array[ctypes.c_int32]
Pointers = ctypes.Array[ctypes.c_void_p]


class Problem(ctypes.Structure):
    """Fields in the order of csrc/problem.h: every number 64 bits, every pointer bare."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("nodes", "relations", "graphs")),
        *((name, ctypes.c_void_p) for name in _POINTERS_TO_TOPOLOGY),
        *((name, ctypes.c_int64) for name in ("undirected", "threads", *_SIZES)),
        *((name, ctypes.c_void_p) for name in (*_INPUTS, "running_mean", "running_var")),
        ("training", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in (*_RESULTS, *_BACKWARD)),
    )


class Gather(ctypes.Structure):
    """Fields in the order of csrc/gather.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("rows", "streams", "inputs", "outputs", "threads")),
        *((name, ctypes.c_void_p) for name in ("X", "W", "Y", "dY", "dX", "dW")),
    )


class NormAct(ctypes.Structure):
    """Fields in the order of csrc/norm_act.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("rows", "width", "threads", "training")),
        *((name, ctypes.c_void_p) for name in ("X", "weights", "scale", "shift")),
        *((name, ctypes.c_void_p) for name in ("running_mean", "running_var", "mean", "rstd")),
        *((name, ctypes.c_void_p) for name in ("Y", "dY", "dX", "dscale", "dshift")),
    )


class ReadOut(ctypes.Structure):
    """Fields in the order of csrc/readout.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("graphs", "width", "threads", "mean")),
        *((name, ctypes.c_void_p) for name in ("X", "weights", "ptr", "Y", "ties", "dY", "dX")),
    )


class Neighbours(ctypes.Structure):
    """Fields in the order of csrc/neighbours.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("clouds", "points", "dims", "k", "threads")),
        *((name, ctypes.c_void_p) for name in ("P", "found")),
    )


_STRUCTURES: Final = {
    "problem": Problem,
    "gather": Gather,
    "norm_act": NormAct,
    "read_out": ReadOut,
    "neighbours": Neighbours,
}


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """The loaded kernels, checked to speak of the same structure."""
    loaded = load()
    loaded.argnp_quantum.restype = ctypes.c_int64
    loaded.argnp_lanes.restype = ctypes.c_int64
    loaded.argnp_huge_pages.restype = None
    loaded.argnp_multiply_in_cache.restype = ctypes.c_double
    for name, structure in _STRUCTURES.items():
        size = getattr(loaded, f"argnp_{name}_size")
        size.restype = ctypes.c_int64
        if size() != ctypes.sizeof(structure):
            raise BuildError(
                "the compiled kernels expect other structures than this version hands over"
            )
    return loaded


def run(name: str, problem: ctypes.Structure) -> None:
    """Calls the entry point ``argnp_<name>``."""
    if getattr(library(), f"argnp_{name}")(ctypes.byref(problem)):
        raise MemoryError(f"fused kernel {name}: out of memory")


def multiply_in_cache(threads: int, times: int) -> float:
    """Operations that small products in the nearest cache did, on every thread."""
    do = library().argnp_multiply_in_cache
    return float(do(ctypes.c_int64(threads), ctypes.c_int64(times)))


def ask_for_huge_pages(buffer: Tensor) -> None:
    """Large pages for a buffer that is yet to be touched, where the system has them."""
    ask = library().argnp_huge_pages
    ask(ctypes.c_void_p(buffer.data_ptr()), ctypes.c_int64(buffer.nbytes))


def pointer(tensor: Tensor | None) -> int | None:
    return None if tensor is None else tensor.data_ptr()


def pointers(tensors: Sequence[Tensor | None]) -> Pointers:
    """An array of pointers, null where there is no tensor."""
    return (ctypes.c_void_p * max(1, len(tensors)))(*map(pointer, tensors))


def numbers(values: Sequence[int]) -> Numbers:
    return (ctypes.c_int32 * max(1, len(values)))(*values)


def address(array: Pointers | Numbers) -> int:
    return ctypes.addressof(array)
