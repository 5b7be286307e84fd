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
    root = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(root or Path.home() / ".cache") / "argnp" / "kernels"
    except RuntimeError as error:  # a user without a home
        raise FileNotFoundError(str(error)) from error


def find_compiler() -> str:
    """Path of the C++ compiler: ``CXX`` where set, else the first one found."""
    chosen = os.environ.get("CXX")
    for name in (chosen,) if chosen else COMPILERS:
        found = shutil.which(name)
        if found:
            return found
    if chosen:
        raise BuildError(f"CXX names {chosen!r}, which is no program that can be run")
    raise BuildError(
        f"no C++ compiler found (looked for {', '.join(COMPILERS)}); for the fast path install "
        "g++ or clang++, or set CXX"
    )


def build(folder: Path, compiler: str) -> Path:
    """The library for this machine in ``folder``, compiled unless it is there and whole."""
    native = _native_flags(compiler)
    path = folder / f"fused-{_key(compiler, native)}.so"
    if not _is_whole(path):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _compile(compiler, native, path)
    return path


def load() -> ctypes.CDLL:
    """The library of this process; raises BuildError where there can be none."""
    found = attempt()
    if isinstance(found, str):
        raise BuildError(found)
    return found


@lru_cache(maxsize=1)
def attempt() -> ctypes.CDLL | str:
    """The library, or the reason why there is none: compiling in vain takes as long as compiling,
    and every network that is built asks."""
    try:
        compiler = find_compiler()
        _share_openmp()
        try:
            return ctypes.CDLL(str(build(cache_folder(), compiler)))
        except OSError:  # the cache cannot be written, or what lies there cannot be loaded
            with tempfile.TemporaryDirectory(prefix="argnp-") as folder:
                return ctypes.CDLL(str(build(Path(folder), compiler)))
    except BuildError as error:
        return str(error)
    except OSError as error:
        return f"the compiled kernels do not load: {error}"


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
    try:
        version = subprocess.run(
            [compiler, "--version"], capture_output=True, timeout=TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{compiler} does not tell its version: {error}") from error
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
    """Compiles to ``path`` with the best threads that this compiler and process can have.

    The work is done beside ``path``: what may be loaded there need not be elsewhere. Raises
    OSError where the library was made but does not load.
    """
    reason = ""
    made_one = False
    source = str(SOURCES / "fused.cpp")
    undefined = ("-undefined", "dynamic_lookup") if platform.system() == "Darwin" else ()
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="build-") as scratch:
        for compiling, linking in OPENMP:
            made, library = str(Path(scratch) / "fused.o"), str(Path(scratch) / "fused.so")
            steps = (
                [compiler, *COMMON, *native, *compiling, "-c", source, "-o", made],
                [compiler, "-shared", made, *linking, *undefined, "-o", library],
            )
            failed = next((why for why in map(_run, steps) if why), None)
            if failed is None:
                made_one = True
                failed = _loads(library)
            if failed is None:
                _install(Path(library).read_bytes(), path)
                return
            reason = reason or failed
    if made_one:
        raise OSError(reason)
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
    for path in _openmp_runtimes():
        try:
            ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        except OSError:  # replaced since it was mapped; then the kernels bring their own
            continue
        return


def _openmp_runtimes(maps: Path = Path("/proc/self/maps")) -> list[Path]:
    """The OpenMP runtimes in this process, torch's first: other packages bring theirs along."""
    import torch

    home = Path(torch.__file__).resolve().parent
    try:
        fields = [line.split(maxsplit=5) for line in maps.read_text(errors="replace").splitlines()]
    except OSError:
        return sorted((home / "lib").glob("lib*omp*"))
    mapped = dict.fromkeys(Path(line[5]) for line in fields if len(line) > 5)
    runtimes = [p for p in mapped if p.name.startswith(("libgomp", "libomp", "libiomp"))]
    own = (home, home.parent / "torch.libs")
    return sorted(runtimes, key=lambda path: not any(map(path.is_relative_to, own)))
