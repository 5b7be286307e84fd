"""A damaged checkpoint is noticed and the one before it takes its place."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as options
from hypothesis import strategies as st

from argnp.errors import UserError
from argnp.runs.checkpoints import load, save


def corrupt(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def test_nothing_saved_is_nothing_found(tmp_path: Path) -> None:
    assert load(tmp_path / "nowhere", "last") is None


def test_the_last_one_is_found_and_the_one_before_kept(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    for payload in (b"one", b"two", b""):
        save(folder, "last", payload)
    assert load(folder, "last") == (b"", None)
    assert sorted(path.name for path in folder.iterdir()) == ["last.ckpt", "previous.ckpt"]


@options(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=60,
)
@given(
    keep=st.integers(0, 70),
    flip=st.integers(0, 69),
    truncate=st.booleans(),
)
def test_every_truncation_and_every_flipped_byte_is_noticed(
    tmp_path: Path, keep: int, flip: int, truncate: bool
) -> None:
    shutil.rmtree(tmp_path / "f", ignore_errors=True)
    folder = tmp_path / "f"
    save(folder, "last", b"the one before")
    save(folder, "last", b"the last one")
    path = folder / "last.ckpt"
    content = bytearray(path.read_bytes())
    if truncate:
        path.write_bytes(content[:keep])
    else:
        content[flip] ^= 0x10
        path.write_bytes(content)
    found = load(folder, "last")
    assert found is not None
    payload, warning = found
    assert payload == b"the one before"
    assert warning is not None
    assert "last.ckpt: damaged, going on from the one before" in warning


def test_added_bytes_are_noticed(tmp_path: Path) -> None:
    save(tmp_path, "best", b"x")
    with (tmp_path / "best.ckpt").open("ab") as file:
        file.write(b"y")
    with pytest.raises(UserError):
        load(tmp_path, "best")


def test_killed_between_the_renames_the_one_before_is_used_without_ado(tmp_path: Path) -> None:
    save(tmp_path, "last", b"one")
    (tmp_path / "last.ckpt").rename(tmp_path / "previous.ckpt")
    assert load(tmp_path, "last") == (b"one", None)
    save(tmp_path, "last", b"two")
    assert load(tmp_path, "last") == (b"two", None)


def test_a_damaged_last_does_not_push_out_the_good_one(tmp_path: Path) -> None:
    save(tmp_path, "last", b"one")
    save(tmp_path, "last", b"two")
    corrupt(tmp_path / "last.ckpt")
    save(tmp_path, "last", b"three")
    corrupt(tmp_path / "last.ckpt")
    found = load(tmp_path, "last")
    assert found is not None
    assert found[0] == b"one"


def test_nothing_whole_left_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    save(tmp_path, "last", b"one")
    save(tmp_path, "last", b"two")
    corrupt(tmp_path / "last.ckpt")
    corrupt(tmp_path / "previous.ckpt")
    with pytest.raises(UserError, match=r"last.ckpt: damaged.*delete the folder") as caught:
        load(tmp_path, "last")
    assert "\n" not in str(caught.value)


def test_the_best_one_stands_alone(tmp_path: Path) -> None:
    save(tmp_path, "last", b"last")
    save(tmp_path, "best", b"best")
    save(tmp_path, "best", b"better")
    assert load(tmp_path, "best") == (b"better", None)
    assert load(tmp_path, "last") == (b"last", None)
    corrupt(tmp_path / "best.ckpt")
    with pytest.raises(UserError):
        load(tmp_path, "best")


def test_a_full_disk_leaves_the_last_good_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(tmp_path, "last", b"one")
    save(tmp_path, "last", b"two")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for _ in range(3):
            with pytest.raises(UserError, match="the disk is full"):
                save(tmp_path, "last", b"three")
    assert load(tmp_path, "last") == (b"two", None)


SAVE = """
import sys
from pathlib import Path
from argnp.runs.checkpoints import save
for number in range(10**9):
    save(Path(sys.argv[1]), "last", number.to_bytes(4, "big") * 50000)
    print(number, flush=True)
"""


@pytest.mark.parametrize("delay", [0.0, 0.003, 0.008, 0.015])
def test_kill_9_while_saving_leaves_a_whole_one(tmp_path: Path, delay: float) -> None:
    command = [sys.executable, "-c", SAVE, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(delay)
        writer.send_signal(signal.SIGKILL)
        saved = [0, *map(int, writer.stdout.read().split())]
    found = load(tmp_path, "last")
    assert found is not None
    payload, warning = found
    number = int.from_bytes(payload[:4], "big")
    assert payload == payload[:4] * 50000
    assert warning is None
    # One more may have been saved than was told.
    assert saved[-1] <= number <= saved[-1] + 1
