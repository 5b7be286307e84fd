"""Pickles of published raw files, with no code run: only tensors and arrays are admitted."""

import collections
import copyreg
import io
import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Final

import numpy as np
import torch
from scipy.sparse import csr_matrix

_new_array: Final[Any] = np.empty(0).__reduce__()[0]
_new_number: Final[Any] = np.float64(0).__reduce__()[0]


def _storage(content: bytes) -> object:
    """What torch saves of a tensor inside another pickle is a pickle itself."""
    return torch.load(io.BytesIO(content), weights_only=True)


def _bytes(text: str, encoding: str) -> bytes:
    """How old pickle protocols spell bytes."""
    if encoding not in ("latin1", "latin-1"):
        raise pickle.UnpicklingError(f"bytes in encoding {encoding}")
    return text.encode("latin1")


_ADMITTED: Final[dict[tuple[str, str], object]] = {
    ("torch._utils", "_rebuild_tensor"): torch._utils._rebuild_tensor,
    ("torch._utils", "_rebuild_tensor_v2"): torch._utils._rebuild_tensor_v2,
    ("torch.storage", "_load_from_bytes"): _storage,
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("collections", "defaultdict"): collections.defaultdict,
    ("builtins", "list"): list,
    ("builtins", "object"): object,
    ("copyreg", "_reconstructor"): copyreg._reconstructor,  # type: ignore[attr-defined]
    # The same, as Python 2 calls them.
    ("__builtin__", "list"): list,
    ("__builtin__", "object"): object,
    ("copy_reg", "_reconstructor"): copyreg._reconstructor,  # type: ignore[attr-defined]
    ("_codecs", "encode"): _bytes,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): _new_array,
    ("numpy._core.multiarray", "_reconstruct"): _new_array,
    ("numpy.core.multiarray", "scalar"): _new_number,
    ("numpy._core.multiarray", "scalar"): _new_number,
    ("scipy.sparse.csr", "csr_matrix"): csr_matrix,
    ("scipy.sparse._csr", "csr_matrix"): csr_matrix,
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        try:
            return _ADMITTED[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"GLOBAL {module}.{name}") from None


def load(file: IO[bytes], *, encoding: str = "ASCII") -> Any:
    """As ``pickle.load``, for what benchmarks hold; anything else is refused."""
    loaded = _Unpickler(file, encoding=encoding).load()
    _check_matrices(loaded)
    return loaded


def _check_matrices(loaded: object) -> None:
    """Sparse matrices are taken at their word by scipy's C++, which writes where they point."""
    waiting, seen = [loaded], set[int]()
    while waiting:
        item = waiting.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, csr_matrix):
            _check_matrix(item)
        elif isinstance(item, np.ndarray) and item.dtype.hasobject:
            waiting.extend(item.ravel().tolist())
        elif isinstance(item, dict):
            waiting.extend(_containers(item.keys()))
            waiting.extend(_containers(item.values()))
        elif isinstance(item, list | tuple | set | frozenset):
            waiting.extend(_containers(item))


def _containers(items: Iterable[object]) -> Iterator[object]:
    """What may hold a matrix; a graph is millions of plain numbers."""
    return (item for item in items if not isinstance(item, int | float | str | bytes))


def _check_matrix(matrix: csr_matrix) -> None:
    try:
        if any(map(callable, vars(matrix).values())):
            raise ValueError("it brings methods of its own")
        matrix.check_format(full_check=True)
    except Exception as wrong:  # its parts may be of any type
        raise pickle.UnpicklingError(f"a sparse matrix is inconsistent: {wrong}") from None


class OnlyArrays:
    """Takes the place of the module ``pickle`` where a loader would unpickle anything."""

    UnpicklingError: Final = pickle.UnpicklingError
    load: Final[Callable[..., Any]] = staticmethod(load)
