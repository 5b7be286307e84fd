"""What the contributing guide shows works as it stands."""

import re
from pathlib import Path

import pytest

from argnp.differentiate import strategies
from argnp.ops import catalogue

GUIDE = Path(__file__).parents[1] / "CONTRIBUTING.md"
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def _registries(monkeypatch):
    """What an example registers is gone afterwards."""
    monkeypatch.setattr(strategies, "STRATEGIES", dict(strategies.STRATEGIES))
    for registry in ("_NODE", "_RELATION"):
        monkeypatch.setattr(catalogue, registry, dict(getattr(catalogue, registry)))


@pytest.mark.usefixtures("_registries")
def test_the_examples_of_the_guide_run():
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, str(GUIDE), "exec"), names)  # our own text
    assert "V_RANGE" in names["NODE_OPERATIONS"] or "range_of_messages" in names
    assert set(names["found"].architectures) == {2}
    assert names["result"].metrics["mae"] >= 0
