"""Which kernels a network takes, and what the first line of a run says about it."""

from pathlib import Path

import pytest

from argnp.errors import UserError
from argnp.kernels import build, fused_abi
from argnp.kernels.fused import unavailable
from argnp.nets.cores import choose


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A machine on which nothing was ever compiled and nothing can be."""
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    caches = build.attempt, fused_abi.library
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("no_compiler")
def test_auto_without_a_compiler_says_how_to_get_the_fast_path() -> None:
    chosen = choose("auto")
    assert chosen.core.name == "torch"
    assert chosen.reason == (
        "torch kernels (no C++ compiler found (looked for g++, c++, clang++); for the fast path "
        "install g++ or clang++, or set CXX)"
    )


@pytest.mark.usefixtures("no_compiler")
def test_fused_without_a_compiler_is_refused_in_one_line() -> None:
    with pytest.raises(UserError, match=r"--kernels fused: no C\+\+ .* --kernels torch needs no"):
        choose("fused")


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_auto_takes_the_fused_kernels_where_they_can_be_built() -> None:
    chosen = choose("auto")
    assert (chosen.core.name, chosen.reason) == ("fused", "fused kernels on the CPU")


def test_kernels_that_are_asked_for() -> None:
    assert choose("reference").core.name == "reference"
    assert choose("torch").core.name == "torch"
