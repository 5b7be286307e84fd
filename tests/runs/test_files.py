"""A file is whole or untouched: through errors, full disks and kill -9."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from argnp.errors import UserError
from argnp.runs.files import check_target, clear_disk_errors, sweep, whole, write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writes_text_and_bytes_over_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_whole(path, b"old")
    write_whole(path, "größer\n")
    assert path.read_bytes() == "größer\n".encode()
    assert names(tmp_path) == ["file.txt"]


def test_others_may_read_the_file_as_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "file", b"x")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


def test_the_temporary_name_keeps_the_ending(tmp_path: Path) -> None:
    with whole(tmp_path / "model.onnx") as part:
        assert part.suffix == ".onnx"
        assert part.parent == tmp_path
        part.write_bytes(b"x")


def test_an_error_inside_the_block_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"good")

    def fail() -> None:
        with whole(path) as part:
            part.write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_bytes() == b"good"
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fills_up_at_fsync_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    path = tmp_path / "file"
    write_whole(path, b"good")

    def full(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match=r"file: the disk is full; free some space") as caught:
        write_whole(path, b"new")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"good"
    assert names(tmp_path) == ["file"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which Linux has")
def test_a_truly_full_device_is_told_clearly() -> None:
    with pytest.raises(UserError, match="the disk is full"), clear_disk_errors(Path("x")):
        Path("/dev/full").write_bytes(b"x")


def test_a_folder_that_refuses_is_told_clearly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(UserError, match=r"file: cannot be written \(Permission denied\)"):
        write_whole(tmp_path / "file", b"x")


def test_a_mistake_of_ours_stays_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "no such folder" / "file", b"x")


def test_kill_9_while_writing_leaves_the_old_file_and_a_part_that_is_swept(
    tmp_path: Path,
) -> None:
    path = tmp_path / "deep" / "file"
    path.parent.mkdir()
    write_whole(path, b"good")
    script = f"""
import os, signal
from pathlib import Path
from argnp.runs.files import whole
with whole(Path({str(path)!r})) as part:
    part.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"good"
    assert len(names(path.parent)) == 2
    sweep(tmp_path)
    assert names(path.parent) == ["file"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("nowhere/x.png", "^--png .*there is no folder .*nowhere; make it first$"),
        ("file/x.png", "^--png .*there is no folder .*file; make it first$"),
        (".", "^--png .*: a folder; name a file in it$"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused(
    tmp_path: Path, name: str, complaint: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UserError, match=complaint):
        check_target(tmp_path / name, "--png")
