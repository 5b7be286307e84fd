"""While other people's loaders read other people's files, nothing in these is executed."""

import contextlib
import errno
import os
import pickle
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from argnp.data.benchmarks.unpickle import OnlyArrays
from argnp.errors import UserError

_UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)


@contextlib.contextmanager
def guarded(folder: Path, name: str) -> Iterator[None]:
    """PyG's and ogb's loaders, kept from running code, from printing, and from long tracebacks.

    ``torch.load`` reads weights only, whatever it is told; the two raw formats that are plain
    pickles go through the restricted unpickler.
    """
    import torch
    from torch_geometric.data import Data
    from torch_geometric.data.data import DataEdgeAttr, DataTensorAttr
    from torch_geometric.data.storage import GlobalStorage
    from torch_geometric.datasets import zinc
    from torch_geometric.io import planetoid

    saved = [Data, DataEdgeAttr, DataTensorAttr, GlobalStorage, *_arrays()]
    with (
        mock.patch.dict(os.environ, TORCH_FORCE_WEIGHTS_ONLY_LOAD="1"),
        mock.patch.object(zinc, "pickle", OnlyArrays),
        mock.patch.object(planetoid, "pickle", OnlyArrays),
        torch.serialization.safe_globals(saved),
        contextlib.redirect_stdout(sys.stderr),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            yield
        except pickle.UnpicklingError as refused:
            raise UserError(_refusal(name, folder, str(refused))) from None
        except (UserError, MemoryError):
            raise
        except OSError as failed:
            if failed.errno not in _UNWRITABLE:
                raise UserError(f"{name}: {folder}: {_line(failed)}") from failed
            raise UserError(
                f"{name}: what is read from {folder} is kept there, which failed "
                f"({failed.strerror}); make room or give a --root that can be written to"
            ) from failed
        except Exception as wrong:
            raise UserError(
                _damaged(name, folder, f"{type(wrong).__name__}: {_line(wrong)}")
            ) from wrong


def _arrays() -> list[object]:
    """What a numpy array inside a torch file is rebuilt with."""
    import numpy as np

    array, number = np.empty(0), np.float64(0)
    return [
        array.__reduce__()[0],
        number.__reduce__()[0],
        np.ndarray,
        np.dtype,
        *(type(np.dtype(kind)) for kind in ("f4", "f8", "i4", "i8", "u1", "?")),
    ]


def _refusal(name: str, folder: Path, message: str) -> str:
    held = re.search(r"GLOBAL (\S+)", message)
    if held is None:
        return _damaged(name, folder, message)
    return (
        f"{name}: a file in {folder} holds {held[1].rstrip('.,')}, which is no tensor; nothing of "
        "it was executed; replace it by the published file"
    )


def _damaged(name: str, folder: Path, why: str) -> str:
    return (
        f"{name}: the files in {folder} cannot be read ({_line(why)}); replace them by the "
        "published ones and remove the folder 'processed', if there is one"
    )


def _line(wrong: Exception | str) -> str:
    return " ".join(str(wrong).split())[:200] or "no reason given"
