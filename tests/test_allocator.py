"""Freed memory stays with the process of a command."""

import platform
import subprocess
import sys

import pytest

# Faults of pages while several pieces of 8 MB come and go, without and with what a command does.
FAULTS = """
import resource, sys
import numpy as np
from argnp.allocator import keep_freed_memory
if sys.argv[1] == "kept":
    keep_freed_memory()
def come_and_go():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        pieces = [np.ones(1_000_000) for _ in range(8)]
        del pieces
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
come_and_go()
print(come_and_go())
"""


def faults(how: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", FAULTS, how], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the allocator is not glibc's")
def test_what_comes_and_goes_is_mapped_once() -> None:
    assert faults("kept") < 0.1 * faults("usual")
