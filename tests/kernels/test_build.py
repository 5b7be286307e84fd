"""Building the kernels: no compiler, a broken one, a damaged cache, several processes at once."""

import ctypes
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from argnp.kernels import build
from argnp.kernels.build import BuildError

# A library that takes a moment to compile stands in for the kernels where only the building of
# it is tested.
SMALL = 'extern "C" __attribute__((visibility("default"))) int answer() { return 42; }\n'

compiler_missing = build.shutil.which(os.environ.get("CXX", "c++")) is None
needs_compiler = pytest.mark.skipif(compiler_missing, reason="no C++ compiler")


@pytest.fixture
def small_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "csrc"
    folder.mkdir()
    (folder / "fused.cpp").write_text(SMALL)
    monkeypatch.setattr(build, "SOURCES", folder)
    return folder


def answer(path: Path) -> int:
    return int(ctypes.CDLL(str(path)).answer())


def program(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_no_compiler_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BuildError, match=r"no C\+\+ compiler found"):
        build.find_compiler()


def test_cxx_is_respected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = program(tmp_path, "my-compiler", "#!/bin/sh\n")
    monkeypatch.setenv("CXX", mine)
    assert build.find_compiler() == mine
    monkeypatch.setenv("CXX", "/nonexistent/c++")
    with pytest.raises(BuildError, match="CXX names '/nonexistent/c"):
        build.find_compiler()


def test_process_without_compiler_says_why_and_goes_on(tmp_path: Path) -> None:
    code = "from argnp.kernels.fused import unavailable; print(unavailable())"
    environment = {**os.environ, "CXX": "/nonexistent/c++", "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("CXX names '/nonexistent/c++'")


def test_failing_compiler_is_a_reason(tmp_path: Path) -> None:
    broken = program(tmp_path, "broken", "#!/bin/sh\necho 'error: out of order' >&2\nexit 1\n")
    with pytest.raises(BuildError, match="error: out of order"):
        build.build(tmp_path / "cache", broken)


@needs_compiler
def test_compile_error_is_a_reason_and_leaves_nothing(small_sources: Path, tmp_path: Path) -> None:
    (small_sources / "fused.cpp").write_text("this is no C++\n")
    with pytest.raises(BuildError, match=r"could not compile the kernels: .*error"):
        build.build(tmp_path / "cache", build.find_compiler())
    assert not list((tmp_path / "cache").iterdir())


@needs_compiler
def test_built_once_and_again_when_a_source_changes(small_sources: Path, tmp_path: Path) -> None:
    compiler = build.find_compiler()
    first = build.build(tmp_path / "cache", compiler)
    built = first.stat().st_mtime_ns
    assert answer(first) == 42
    assert build.build(tmp_path / "cache", compiler) == first
    assert first.stat().st_mtime_ns == built
    (small_sources / "fused.cpp").write_text(SMALL.replace("42", "43"))
    second = build.build(tmp_path / "cache", compiler)
    assert second != first
    assert answer(second) == 43


@needs_compiler
@pytest.mark.parametrize("damage", ["cut", "flipped", "empty"])
def test_damaged_library_is_built_again(damage: str, small_sources: Path, tmp_path: Path) -> None:
    compiler = build.find_compiler()
    path = build.build(tmp_path / "cache", compiler)
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(
        {
            "cut": content[:middle],
            "flipped": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "empty": b"",
        }[damage]
    )
    assert build.build(tmp_path / "cache", compiler) == path
    assert answer(path) == 42


@needs_compiler
def test_several_processes_at_once(small_sources: Path, tmp_path: Path) -> None:
    code = f"""
import ctypes
from pathlib import Path
from argnp.kernels import build
build.SOURCES = Path({str(small_sources)!r})
path = build.build(Path({str(tmp_path / "cache")!r}), build.find_compiler())
assert ctypes.CDLL(str(path)).answer() == 42
"""
    with ThreadPoolExecutor() as pool:
        runs = [
            pool.submit(subprocess.run, [sys.executable, "-c", code], check=True) for _ in range(4)
        ]
        for run in runs:
            run.result()
    left = list((tmp_path / "cache").iterdir())
    assert len(left) == 1
    assert answer(left[0]) == 42


def test_cache_folder_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert build.cache_folder() == tmp_path / "argnp" / "kernels"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert build.cache_folder() == tmp_path / ".cache" / "argnp" / "kernels"


@needs_compiler
def test_cache_that_cannot_be_written_is_no_obstacle(
    small_sources: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    build.load.cache_clear()
    try:
        assert build.load().answer() == 42
    finally:
        build.load.cache_clear()


@needs_compiler
def test_one_openmp_runtime_in_the_process() -> None:
    """The kernels run on the thread pool that torch has, not on one of their own."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("no /proc to look into")
    build.load()
    mapped = {line.split(maxsplit=5)[-1] for line in maps.read_text().splitlines()}
    runtimes = {p for p in mapped if Path(p).name.startswith(("libgomp", "libomp", "libiomp"))}
    foreign = {p for p in runtimes if "/torch/" not in p and "scikit" not in p}
    assert not foreign
