"""Messages between this process and its workers: a length, then as many bytes."""

from typing import IO, Final

_LENGTH_BYTES: Final = 8


def send(stream: IO[bytes], message: bytes) -> None:
    stream.write(len(message).to_bytes(_LENGTH_BYTES, "big") + message)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes | None:
    """None where the other side has gone."""
    length = stream.read(_LENGTH_BYTES)
    if len(length) < _LENGTH_BYTES:
        return None
    message = stream.read(int.from_bytes(length, "big"))
    return message if len(message) == int.from_bytes(length, "big") else None
