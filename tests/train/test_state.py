import errno
from pathlib import Path

import pytest
import torch
from tests.small import Recorder

from argnp.errors import UserError
from argnp.runs import files
from argnp.train.state import Keeper, frozen


def test_frozen_copies_do_not_change() -> None:
    tensor = torch.ones(2, requires_grad=True)
    copy = frozen({"a": [tensor, 3], "b": {"c": tensor}})
    with torch.no_grad():
        tensor.zero_()
    assert copy["a"][0].tolist() == [1, 1]
    assert copy["b"]["c"].tolist() == [1, 1]
    assert not copy["a"][0].requires_grad


def test_states_come_when_it_is_time_or_at_the_end(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, seconds=1000.0)
    keeper.offer(lambda: {"n": 1}, last=False)
    assert keeper.found(Recorder()) is None
    keeper.offer(lambda: {"n": 2}, last=True)
    assert keeper.found(Recorder()) == {"n": 2}


def test_nothing_is_kept_without_a_folder() -> None:
    keeper = Keeper(None, seconds=0.0)
    keeper.offer(lambda: pytest.fail("no snapshot is needed"), last=True)
    assert keeper.found(Recorder()) is None


@pytest.mark.parametrize("damage", [b"", b"half of it", None])
def test_a_damaged_state_gives_way_to_the_one_before(tmp_path: Path, damage: bytes | None) -> None:
    keeper = Keeper(tmp_path, seconds=0.0)
    for n in range(3):
        keeper.offer(lambda n=n: {"n": n, "w": torch.full((4,), float(n))}, last=False)
    last = tmp_path / "last.ckpt"
    content = bytearray(last.read_bytes())
    content[-3] ^= 1
    last.write_bytes(bytes(content) if damage is None else damage)
    recorder = Recorder()
    found = keeper.found(recorder)
    assert found is not None
    assert found["n"] == 1
    assert "damaged" in recorder.of("warning")[0]["text"]


def test_code_in_a_state_is_not_run(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path, seconds=0.0)
    keeper.offer(lambda: {"n": Path}, last=True)
    with pytest.raises(Exception, match="Weights only load failed"):
        keeper.found(Recorder())


def test_a_full_disk_leaves_the_last_good_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = Keeper(tmp_path, seconds=0.0)
    keeper.offer(lambda: {"n": 1}, last=True)

    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(files, "_sync", full)
    with pytest.raises(UserError, match="disk is full"):
        keeper.offer(lambda: {"n": 2}, last=True)
    monkeypatch.undo()
    assert keeper.found(Recorder()) == {"n": 1}
