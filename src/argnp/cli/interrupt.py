"""Ctrl-C, wherever it strikes."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible() -> Iterator[None]:
    """Whatever error Ctrl-C turns into on its way up, it leaves as KeyboardInterrupt.

    Struck while a package is imported, it can come out as an ImportError, among others.
    """
    struck = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal struck
        struck = True
        signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    except KeyboardInterrupt:
        _forget()
        raise
    except Exception:
        if struck:
            _forget()
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, before)


def _forget() -> None:
    """Let the process end with an exit code of its own.

    Python notes when Ctrl-C leaves a string that is executed, as dataclasses do, and in the end
    dies of the signal even if it was caught further out; the next such string clears the note.
    """
    exec("")
