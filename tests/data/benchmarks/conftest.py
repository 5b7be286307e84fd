"""A network that never answers, and a pickle that would run code."""

import pickle
import socket
from pathlib import Path

import pytest

torch_geometric = pytest.importorskip("torch_geometric")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    """Downloads fail at once, as on a machine without a connection."""

    def refuse(*_args, **_kwargs):
        raise socket.gaierror(-3, "no network in tests")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


class Attack:
    """Unpickling it makes the file ``bait``."""

    def __init__(self, bait: Path):
        self.bait = bait

    def __reduce__(self):
        return (Path.touch, (self.bait,))


@pytest.fixture
def attack(tmp_path):
    """A pickle that makes a file, and that file."""
    bait = tmp_path / "executed"
    payload = Attack(bait)
    pickle.loads(pickle.dumps(payload))
    assert bait.exists(), "the attack must work where nothing guards against it"
    bait.unlink()
    return payload, bait
