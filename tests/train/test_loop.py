import errno
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.small import Recorder, small_data, small_training
from torch import Tensor

from argnp.errors import UserError
from argnp.runs import files
from argnp.train.loop import Trained, Training

AVERAGED = {"dropout": 0.3, "ema": 0.9, "warmup": 0.2, "weight_decay": 0.01}
HALVED = {"optimizer": "adam", "schedule": "plateau", "patience": 1, "lr": 0.05}


class Killed(BaseException):
    """As if the process ended here."""


def kill_at(count: int) -> Callable[[str, dict[str, Any]], None]:
    """Ends the training when it is about to tell of its epoch number ``count``."""

    def at(name: str, fields: dict[str, Any]) -> None:
        if name == "train-epoch" and fields["epoch"] == count:
            raise Killed

    return at


def assert_same(a: Trained, b: Trained) -> None:
    assert (a.best_epoch, a.metrics) == (b.best_epoch, b.metrics)
    theirs = b.network.state_dict()
    for name, value in a.network.state_dict().items():
        assert torch.equal(value, theirs[name]), name


def test_the_best_epoch_by_validation_is_kept() -> None:
    recorder = Recorder()
    training = small_training(observer=recorder, epochs=8)
    trained = training.run()
    values = [event["val_metric"] for event in recorder.of("train-epoch")]
    assert len(values) == 8
    assert len(set(values)) > 1
    assert trained.best_epoch == values.index(max(values))
    assert trained.metrics["balanced_accuracy"] == max(values)
    assert training.validate().metrics == trained.metrics  # the network carries these weights


def test_averaged_weights_are_what_is_judged_and_kept() -> None:
    training = small_training(epochs=4, ema=0.9)
    trained = training.run()
    assert training.validate().metrics == trained.metrics
    learning = small_training(epochs=4, ema=0.9)
    learning.epoch()
    assert not torch.equal(learning.optimiser.flats[0].data, learning.optimiser.averages[0])


def test_the_test_set_is_never_read() -> None:
    dataset = small_data()
    seen: set[int] = set()

    class Spy:
        def __getattr__(self, name: str) -> Any:
            return getattr(dataset.source, name)

        def batch(self, graphs: Any, **options: Any) -> Any:
            seen.update(graphs.tolist())
            return dataset.source.batch(graphs, **options)

    small_training(dataset=replace(dataset, source=Spy()), epochs=2).run()  # type: ignore[arg-type]
    assert seen == {*dataset.splits["train"].tolist(), *dataset.splits["val"].tolist()}


def test_learning_makes_the_loss_small() -> None:
    recorder = Recorder()
    small_training(observer=recorder, epochs=30, lr=0.02).run()
    losses = [event["train_loss"] for event in recorder.of("train-epoch")]
    assert losses[-1] < 0.5 * losses[0]


@pytest.mark.parametrize("settings", [AVERAGED, HALVED], ids=["averaged", "halved"])
@pytest.mark.parametrize("epoch", range(5))
def test_an_interrupted_training_ends_like_an_undisturbed_one(
    tmp_path: Path, settings: dict[str, Any], epoch: int
) -> None:
    undisturbed = small_training(**settings).run()
    with pytest.raises(Killed):
        small_training(tmp_path, Recorder(kill_at(epoch)), **settings).run()
    recorder = Recorder()
    assert_same(small_training(tmp_path, recorder, **settings).run(), undisturbed)
    assert [event["epoch"] for event in recorder.of("train-epoch")] == list(range(epoch, 5))


def test_a_finished_training_is_not_done_again(tmp_path: Path) -> None:
    first = small_training(tmp_path).run()
    recorder = Recorder()
    again = small_training(tmp_path, recorder).run()
    assert_same(again, first)
    assert recorder.events == []
    assert (again.seconds, again.peak_bytes) == (first.seconds, first.peak_bytes)
    assert again.peak_bytes > 0


def test_a_corrupt_checkpoint_costs_an_epoch_and_no_more(tmp_path: Path) -> None:
    undisturbed = small_training(**AVERAGED).run()
    with pytest.raises(Killed):
        small_training(tmp_path, Recorder(kill_at(3)), **AVERAGED).run()
    (tmp_path / "last.ckpt").write_bytes(b"argnp checkpoint 1\n torn")
    recorder = Recorder()
    assert_same(small_training(tmp_path, recorder, **AVERAGED).run(), undisturbed)
    assert "damaged" in recorder.of("warning")[0]["text"]
    assert [event["epoch"] for event in recorder.of("train-epoch")] == [2, 3, 4]


def test_a_full_disk_stops_and_freed_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = small_training(**AVERAGED).run()
    sync, calls = files._sync, []

    def full(path: Path) -> None:
        calls.append(path)
        if len(calls) > 4:  # two a checkpoint: the file, and its name
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        sync(path)

    monkeypatch.setattr(files, "_sync", full)
    with pytest.raises(UserError, match=r"last\.ckpt: the disk is full; free some space"):
        small_training(tmp_path, **AVERAGED).run()
    monkeypatch.undo()
    assert not list(tmp_path.glob(".part*"))
    recorder = Recorder()
    assert_same(small_training(tmp_path, recorder, **AVERAGED).run(), undisturbed)
    assert recorder.of("train-epoch")[0]["epoch"] == 2


def spoil(training: Training, calls: set[int]) -> Training:
    """Makes the loss of these steps (counted from 0) NaN."""
    loss, count = training.loss, iter(range(10**6))

    class Spoilt:
        def __getattr__(self, name: str) -> Any:
            return getattr(loss, name)

        def __call__(self, *args: Any) -> Tensor:
            return loss(*args) * (math.nan if next(count) in calls else 1.0)

    training.loss = Spoilt()  # type: ignore[assignment]
    return training


def test_a_loss_that_is_not_finite_halves_the_rate() -> None:
    recorder = Recorder()
    steady = {"schedule": "plateau"}
    training = spoil(small_training(observer=recorder, epochs=3, **steady), {3})  # epoch 1, step 1
    training.run()
    rates = [event["lr"] for event in recorder.of("train-epoch")]
    assert rates == pytest.approx([0.01, 0.005, 0.005])
    (warning,) = recorder.of("warning")
    assert warning["text"] == (
        "training search 0, size 2, seed 0, epoch 1: the loss was not finite; "
        "going on from the epoch before at 0.5 of the learning rate"
    )


def test_the_epoch_is_stopped_where_the_loss_breaks() -> None:
    training = small_training(epochs=1, batch_size=2)
    seen = []
    loss = training.loss

    class Counted:
        def __getattr__(self, name: str) -> Any:
            return getattr(loss, name)

        def __call__(self, *args: Any) -> Tensor:
            seen.append(1)
            return loss(*args) * (math.inf if len(seen) == 2 else 1.0)

    training.loss = Counted()  # type: ignore[assignment]
    training.run()
    assert len(seen) == 2 + 6  # two steps of the broken epoch, six of the one that counts


def test_weights_that_break_at_the_last_step_are_noticed() -> None:
    recorder = Recorder()
    training = small_training(observer=recorder, epochs=1)
    step, count = training.optimiser.step, iter(range(100))

    def broken(lr: float) -> None:
        step(lr)
        if next(count) == 1:
            training.optimiser.flats[0].data.fill_(math.nan)

    training.optimiser.step = broken  # type: ignore[method-assign]
    trained = training.run()
    assert len(recorder.of("warning")) == 1
    assert all(torch.isfinite(p).all() for p in trained.network.parameters())


def test_three_setbacks_are_borne_and_the_fourth_is_an_error() -> None:
    recorder = Recorder()
    with pytest.raises(UserError) as failed:
        spoil(small_training(observer=recorder), set(range(1, 100))).run()
    assert str(failed.value) == (
        "training search 0, size 2, seed 0, epoch 0: the loss was not finite 4 times; "
        "lower --lr or look at the data with `argnp data info`"
    )
    assert len(recorder.of("warning")) == 3


def test_what_was_learnt_before_a_setback_is_kept_bit_by_bit() -> None:
    plain = small_training(epochs=1, **HALVED)
    plain.run()
    spoilt = spoil(small_training(epochs=2, **HALVED), set(range(2, 100)))
    with pytest.raises(UserError):
        spoilt.run()
    # Four times at epoch 1, each from the weights of epoch 0; the last leaves them as they are.
    before = spoilt.keeper.found(Recorder())
    assert before is None
    assert torch.equal(spoilt.optimiser.flats[0].data, plain.optimiser.flats[0].data)


class Hasty:
    """No time left after so many epochs."""

    def __init__(self, epochs: int) -> None:
        self.epochs = epochs

    def skips(self, labels: Any) -> bool:
        return False

    def ends(self, labels: Any, done: int, seconds: float) -> bool:
        assert seconds > 0
        return done >= self.epochs


def test_out_of_time_it_ends_with_its_best(tmp_path: Path) -> None:
    recorder = Recorder()
    trained = small_training(tmp_path, recorder, pace=Hasty(2)).run()
    assert len(recorder.of("train-epoch")) == 2
    assert trained.best_epoch in (0, 1)
    assert trained.cut
    assert recorder.shown[-1][1:] == (2, 2)  # so that what shows it knows that it is over
    assert not small_training().run().cut
    # With all the time there is it stays ended: what was decided is not decided again.
    assert_same(small_training(tmp_path).run(), trained)
