"""Ctrl-C: it ends soon, says how to go on, and goes on."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from argnp.cli.interrupt import interruptible

LONGEST = 2.0 * 3  # seconds; other work on the machine
COMMAND = shlex.split(
    "fit cluster --graphs 12/6/6 --set data.recipe.largest=6 --size 2 --search-epochs 4 "
    "--width 8 --batch-size 6 --kernels torch"
)


def strike(folder: Path, ready: Callable[[], bool], *more: str) -> tuple[int, str, float]:
    """Exit code, what was said, and the seconds from Ctrl-C to the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "argnp", *COMMAND, "-o", str(folder), *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        while not ready():
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.005)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        told = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    return process.returncode, told, time.monotonic() - began


def after(seconds: float) -> Callable[[], bool]:
    began = time.monotonic()
    return lambda: time.monotonic() - began > seconds


@pytest.mark.parametrize("moment", [0.4, 0.8, 1.6])
def test_while_packages_are_imported_and_data_is_read(tmp_path: Path, moment: float) -> None:
    code, told, seconds = strike(tmp_path / "run", after(moment), "--epochs", "100000")
    assert code == 130
    assert told.splitlines()[-1] == (
        "argnp: interrupted; the same command goes on from the last checkpoint"
    )
    assert "Traceback" not in told
    assert seconds < LONGEST


def test_in_a_string_that_is_executed() -> None:
    code = (
        "import sys; from argnp.cli import main as m; from types import SimpleNamespace\n"
        "text = 'import signal; signal.raise_signal(signal.SIGINT)'\n"
        "made = SimpleNamespace(add_arguments=lambda p: None, run=lambda a: exec(text))\n"
        "m.import_module = lambda name: made\n"
        "sys.exit(m.main(['report']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 130


@pytest.mark.parametrize("event", ["search-epoch", "train-epoch"])
def test_while_it_searches_and_trains(tmp_path: Path, event: str) -> None:
    journal = tmp_path / "run" / "journal.jsonl"

    def ready() -> bool:
        return journal.exists() and f'"{event}"' in journal.read_text()

    code, told, seconds = strike(tmp_path / "run", ready, "--epochs", "100000")
    assert code == 130
    assert "Traceback" not in told
    assert told.splitlines()[-1].startswith("argnp: interrupted; the same command goes on")
    assert seconds < LONGEST


def test_an_interrupt_in_disguise_is_one() -> None:
    def importing() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise ImportError("initialisation failed") from error

    with pytest.raises(KeyboardInterrupt), interruptible():
        importing()
    with pytest.raises(ImportError), interruptible():
        raise ImportError("another")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
