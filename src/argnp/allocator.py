"""Memory that is freed and soon asked for again stays with the process.

A step frees tensors of some megabytes and asks for the like again. glibc hands such memory back to
the system, which maps and clears every page of it anew: a twentieth of a step on point clouds. The
process of a command is argnp's own; a program that imports the library decides for itself.
"""

import ctypes
import sys
from typing import Final

_TRIM_THRESHOLD: Final = -1  # numbers of malloc.h
_MMAP_THRESHOLD: Final = -3
_KEPT: Final = 1 << 30  # bytes at the end of the heap
_LARGEST: Final = 32 << 20  # bytes of a piece that comes from the heap: the most that glibc takes


def keep_freed_memory() -> None:
    """For this process, where its allocator can be told so (glibc)."""
    if not sys.platform.startswith("linux"):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGEST)
        mallopt(_TRIM_THRESHOLD, _KEPT)
