"""A run folder belongs to one process at a time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from argnp.errors import UserError
from argnp.runs.lock import exclusive

HOLD = """
import sys, time
from pathlib import Path
from argnp.runs.lock import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_second_process_is_told_who_has_it_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            with (
                pytest.raises(UserError, match=f"in use by process {holder.pid};") as caught,
                exclusive(path),
            ):
                pass
            assert "\n" not in str(caught.value)
        finally:
            holder.send_signal(signal.SIGKILL)
    with exclusive(path):
        assert path.read_text() == f"{os.getpid()}\n"


def test_it_is_given_back_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    path.write_text("4194304123\n")

    def fail() -> None:
        with exclusive(path):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with exclusive(path):
        assert path.read_text() == f"{os.getpid()}\n"


def test_not_twice_in_one_process_either(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with (
        exclusive(path),
        pytest.raises(UserError, match=f"process {os.getpid()}"),
        exclusive(path),
    ):
        pass
