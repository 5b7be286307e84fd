"""Training states as bytes, and back without executing anything."""

import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from argnp.runs import checkpoints
from argnp.runs.files import clear_disk_errors
from argnp.train.observer import Observer

State = dict[str, Any]


def frozen(value: Any) -> Any:
    """A copy that later steps do not change: dicts and lists of it, with tensors cloned."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    if isinstance(value, list):
        return [frozen(item) for item in value]
    return value


class Keeper:
    """Keeps the states of one folder, the newest every ``seconds``; ``folder`` None: none."""

    def __init__(self, folder: Path | None, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds
        self._kept = time.monotonic()

    def offer(self, snapshot: Callable[[], State], *, last: bool) -> None:
        """Take a snapshot if it is time for one, or if this is the end."""
        if self.folder is None or not (last or time.monotonic() - self._kept >= self.seconds):
            return
        buffer = io.BytesIO()
        torch.save(snapshot(), buffer)
        with clear_disk_errors(self.folder):
            checkpoints.save(self.folder, "last", buffer.getvalue())
        self._kept = time.monotonic()

    def found(self, observer: Observer) -> State | None:
        """The last state that is whole, or None where there is none."""
        kept = None if self.folder is None else checkpoints.load(self.folder, "last")
        if kept is None:
            return None
        payload, warning = kept
        if warning is not None:
            observer.event("warning", text=warning)
        state: State = torch.load(io.BytesIO(payload), weights_only=True)
        return state
