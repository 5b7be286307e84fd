"""The kernels as other processors would have them, against the same oracle."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from argnp.kernels.fused import unavailable

AVX2 = Path("/proc/cpuinfo").exists() and " avx2 " in Path("/proc/cpuinfo").read_text()
TESTS = ("test_fused.py", "test_fused_cell.py", "test_fused_gather.py", "test_fused_property.py")
CODE = """
import sys
import pytest
from argnp.kernels import build
build.NATIVE = (tuple(sys.argv[2].split()),)
from argnp.kernels import fused_abi
assert fused_abi.library().argnp_lanes() == int(sys.argv[1])
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[3:]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the flags are those of x86-64")
@pytest.mark.parametrize(
    ("lanes", "flags"),
    [
        (4, "-march=x86-64"),
        pytest.param(8, "-mavx2 -mfma", marks=pytest.mark.skipif(not AVX2, reason="no AVX2 here")),
    ],
)
def test_narrower_registers(lanes: int, flags: str, tmp_path: Path) -> None:
    folder = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(lanes), flags, *(str(folder / name) for name in TESTS)],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        cwd=folder.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "passed" in done.stdout
    assert "skipped" not in done.stdout
