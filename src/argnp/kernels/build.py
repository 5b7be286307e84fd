"""Compiles the fused kernels with the user's own compiler, once per machine, and loads them.

The library lies in the user's cache under a key of everything it depends on: sources, compiler,
flags and processor. It carries its own checksum behind its last byte, so that a damaged file is
noticed before the loader maps it. Processes that start together may all build: each writes a
file of its own and renames it into place.
"""

import ctypes
import hashlib
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parent / "csrc"
COMPILERS: Final = ("g++", "c++", "clang++")
COMMON: Final = (
    "-std=c++17",
    "-O3",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=fast",  # a message has to round alike in both directions: ties of the maximum
)
# The processor's own instructions, in the words that one compiler or another understands.
NATIVE: Final = (
    ("-march=native", "-mprefer-vector-width=512"),
    ("-march=native",),
    ("-mcpu=native",),
    (),
)
# Threads, best first: those of the OpenMP runtime that torch has loaded (symbols left open), of
# one brought along, none.
OPENMP: Final = ((("-fopenmp",), ()), (("-fopenmp",), ("-fopenmp",)), ((), ()))
CHECKSUM: Final = hashlib.sha256().digest_size
TIMEOUT: Final = 600


class BuildError(Exception):
    """Why there is no library, in one line."""


def cache_folder() -> Path:
    """Where built libraries are kept."""
    root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(root) / "argnp" / "kernels"


def find_compiler() -> str:
    """Path of the C++ compiler: ``CXX`` where set, else the first one found."""
    chosen = os.environ.get("CXX")
    for name in (chosen,) if chosen else COMPILERS:
        found = shutil.which(name)
        if found:
            return found
    if chosen:
        raise BuildError(f"CXX names {chosen!r}, which is no program that can be run")
    raise BuildError(f"no C++ compiler found (looked for {', '.join(COMPILERS)})")


def build(folder: Path, compiler: str) -> Path:
    """The library for this machine in ``folder``, compiled unless it is there and whole."""
    native = _native_flags(compiler)
    path = folder / f"fused-{_key(compiler, native)}.so"
    if not _is_whole(path):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _compile(compiler, native, path)
    return path


@lru_cache(maxsize=1)
def load() -> ctypes.CDLL:
    """The library of this process; raises BuildError where there can be none."""
    compiler = find_compiler()
    _share_openmp()
    try:
        return ctypes.CDLL(str(build(cache_folder(), compiler)))
    except OSError:  # the cache cannot be written, or holds what this process cannot load
        with tempfile.TemporaryDirectory(prefix="argnp-") as folder:
            try:
                return ctypes.CDLL(str(build(Path(folder), compiler)))
            except OSError as error:
                raise BuildError(f"the compiled kernels do not load: {error}") from error


def _native_flags(compiler: str) -> tuple[str, ...]:
    for flags in NATIVE:
        if _run([compiler, *flags, "-E", "-x", "c++", os.devnull, "-o", os.devnull]) is None:
            return flags
    raise BuildError(f"{compiler} does not work: {_run([compiler, '--version']) or 'no reason'}")


def _run(command: Sequence[str]) -> str | None:
    """None where the command succeeded, otherwise the line that says why not."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else "no message")


def _key(compiler: str, native: Sequence[str]) -> str:
    """Hash of everything the library depends on."""
    digest = hashlib.sha256()
    for source in sorted(SOURCES.iterdir()):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    version = subprocess.run(
        [compiler, "--version"], capture_output=True, timeout=TIMEOUT, check=False
    )
    digest.update(version.stdout)
    digest.update(repr((compiler, COMMON, tuple(native), OPENMP)).encode())
    digest.update(_processor().encode())
    return digest.hexdigest()[:24]


def _processor() -> str:
    """What the native flags depend on: a home folder may be shared by unequal machines."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    told = {line for line in lines if line.startswith(("model name", "flags", "Features", "CPU"))}
    return "\n".join([platform.machine(), platform.processor(), *sorted(told)])


def _compile(compiler: str, native: Sequence[str], path: Path) -> None:
    """Compiles to ``path`` with the best threads that this compiler and process can have."""
    reason = ""
    source = str(SOURCES / "fused.cpp")
    undefined = ("-undefined", "dynamic_lookup") if platform.system() == "Darwin" else ()
    with tempfile.TemporaryDirectory(prefix="argnp-") as scratch:
        for compiling, linking in OPENMP:
            made, library = str(Path(scratch) / "fused.o"), str(Path(scratch) / "fused.so")
            steps = (
                [compiler, *COMMON, *native, *compiling, "-c", source, "-o", made],
                [compiler, "-shared", made, *linking, *undefined, "-o", library],
            )
            failed = next((why for why in map(_run, steps) if why), None)
            if failed is None:
                failed = _loads(library)
            if failed is None:
                _install(Path(library).read_bytes(), path)
                return
            reason = reason or failed
    raise BuildError(f"{compiler} could not compile the kernels: {reason}")


def _loads(library: str) -> str | None:
    try:
        ctypes.CDLL(library, mode=os.RTLD_NOW)
    except OSError as error:
        return str(error)
    return None


def _install(content: bytes, path: Path) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem + "-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content + hashlib.sha256(content).digest())
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _is_whole(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return hashlib.sha256(content[:-CHECKSUM]).digest() == content[-CHECKSUM:]


def _share_openmp() -> None:
    """Opens the OpenMP runtime that torch uses to everyone, so that there is one thread pool."""
    import torch

    try:
        mapped = Path("/proc/self/maps").read_text().splitlines()
        candidates = [Path(line.split(maxsplit=5)[5]) for line in mapped if "omp" in line]
    except OSError:
        candidates = list((Path(torch.__file__).parent / "lib").glob("lib*omp*"))
    for path in dict.fromkeys(candidates):
        if path.name.startswith(("libgomp", "libomp", "libiomp")):
            ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
            return
