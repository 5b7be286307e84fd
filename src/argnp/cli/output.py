"""What a command prints when it is done."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argnp.workflows.outcome import Outcome


def emit(outcome: "Outcome", *, json: bool) -> None:
    """Print the text; with ``json`` the values as the last line of standard output."""
    if outcome.text:
        print(outcome.text)
    if json:
        import msgspec

        print(msgspec.json.encode(outcome.values).decode())
