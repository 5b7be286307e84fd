"""Building the kernels: no compiler, a broken one, a damaged cache, several processes at once."""

import ctypes
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch

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


def attempted() -> int:
    """What a library that this process loads afresh answers."""
    build.attempt.cache_clear()
    try:
        return int(build.load().answer())
    finally:
        build.attempt.cache_clear()


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
    assert attempted() == 42


@needs_compiler
def test_one_openmp_runtime_in_the_process() -> None:
    """The kernels run on the thread pool that torch has, not on one of their own."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("no /proc to look into")
    code = """
import sklearn.cluster  # brings a runtime of its own, before torch does
import ctypes, torch
from argnp.kernels import build
opened, plain = [], ctypes.CDLL
def note(name, mode=ctypes.DEFAULT_MODE, **rest):
    if mode == ctypes.RTLD_GLOBAL: opened.append(name)
    return plain(name, mode, **rest)
ctypes.CDLL = note
build.load()
class Info(ctypes.Structure):
    _fields_ = [(n, ctypes.c_void_p if n[0] == "a" else ctypes.c_char_p)
                for n in ("file", "a_base", "symbol", "a_symbol")]
info, everyone = Info(), plain(None)
everyone.dladdr(ctypes.cast(everyone.GOMP_parallel, ctypes.c_void_p), ctypes.byref(info))
print(*opened, info.file.decode(), sep="\\n")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    opened, resolved = done.stdout.splitlines()
    assert opened == resolved
    assert "/torch" in resolved


def test_torchs_openmp_comes_first_wherever_it_is_mapped(tmp_path: Path) -> None:
    home = Path(torch.__file__).resolve().parent
    own, other = home / "lib/libgomp.so.1", home.parent / "scikit_learn.libs/libgomp-e9.so.1.0.0"
    beside = home.parent / "torch.libs/libgomp-a3.so.1.0.0"
    maps = tmp_path / "maps"
    for first in (own, beside):
        lines = [f"7f0-7f1 r-xp 0 08:01 7    {path}" for path in (other, other, first)]
        maps.write_text("\n".join(["7f0-7f1 rw-p 0 00:00 0", *lines, "7f0-7f1 r-xp 0 0 0 [vdso]"]))
        assert build._openmp_runtimes(maps) == [first, other]
    assert set(build._openmp_runtimes(tmp_path / "none")) <= set((home / "lib").iterdir())


@needs_compiler
def test_a_runtime_that_is_gone_is_no_obstacle(
    small_sources: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    gone = Path("/usr/lib/libgomp.so.1 (deleted)")
    monkeypatch.setattr(build, "_openmp_runtimes", lambda: [gone])
    assert attempted() == 42


@needs_compiler
def test_the_temporary_folder_need_not_load_libraries(
    small_sources: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A /tmp mounted noexec: what is made in the cache is made and tried there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(build.tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert attempted() == 42


@needs_compiler
def test_a_cache_that_does_not_load_libraries_is_no_obstacle(
    small_sources: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "noexec"))
    loads = build._loads
    monkeypatch.setattr(
        build, "_loads", lambda library: "no exec" if "noexec" in library else loads(library)
    )
    assert attempted() == 42


@needs_compiler
def test_a_user_without_a_home_is_no_obstacle(
    small_sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(build.Path, "home", homeless)
    assert attempted() == 42


def test_failure_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    script = f"#!/bin/sh\necho x >> {tries}\necho 'error: out of order' >&2\nexit 1\n"
    monkeypatch.setenv("CXX", program(tmp_path, "broken", script))
    build.attempt.cache_clear()
    try:
        for _ in range(3):
            with pytest.raises(BuildError, match="error: out of order"):
                build.load()
        # One per set of flags, and one to ask why: none for the second and third call.
        assert len(tries.read_text().split()) == len(build.NATIVE) + 1
    finally:
        build.attempt.cache_clear()


def test_a_compiler_that_hangs_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = program(tmp_path, "slow", '#!/bin/sh\n[ "$1" = --version ] && exec sleep 9\nexit 0\n')
    monkeypatch.setattr(build, "TIMEOUT", 0.5)
    with pytest.raises(BuildError, match=r"does not tell its version: .*timed out"):
        build.build(tmp_path / "cache", slow)
