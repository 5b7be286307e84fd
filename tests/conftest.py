"""Fixtures that every part of the test suite shares."""

import os
from pathlib import Path

import pytest
import torch

# The suite runs in several processes; one thread each keeps them out of each other's way.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder with the real molecules, laid beside the project; always there in CI."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"no real data at {folder}: CI must not skip what it is there to check")
        pytest.skip(f"needs the real molecules at {folder}")
    return folder
