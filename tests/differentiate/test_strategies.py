import pytest

from argnp.differentiate import strategies
from argnp.differentiate.strategies import STRATEGIES, Strategy, register_strategy, strategy
from argnp.differentiate.update import first_order
from argnp.errors import UserError


def test_a_near_miss_is_put_right() -> None:
    with pytest.raises(UserError) as failed:
        strategy("sgass")
    assert str(failed.value) == (
        "strategy 'sgass': did you mean sgas? There are random, darts, darts2, milenas, sgas, sgas2"
    )


def test_one_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "STRATEGIES", dict(STRATEGIES))
    mine = Strategy(update=first_order)
    register_strategy("mine", mine)
    assert strategy("mine") is mine
    with pytest.raises(ValueError, match="there already"):
        register_strategy("mine", mine)
