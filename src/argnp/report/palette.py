"""Colours of drawings and charts, for light and for dark grounds.

Light colours stand in the elements themselves, so that programs without CSS (converters, LaTeX
tool chains) draw well; dark ones are a media query over the classes. Blue and orange stay apart
for every common kind of colour blindness.
"""

from dataclasses import dataclass
from typing import Final, Literal

Role = Literal["node", "relation", "ink", "quiet", "line", "ground", "node-tint", "relation-tint"]


@dataclass(frozen=True, slots=True)
class Shade:
    """One role's colour on a light and on a dark ground."""

    light: str
    dark: str


SHADES: Final[dict[Role, Shade]] = {
    "node": Shade("#1d5fc4", "#7fb2ff"),
    "relation": Shade("#c4540a", "#ffa05a"),
    "ink": Shade("#1c2430", "#e7ebf1"),
    "quiet": Shade("#5d6878", "#a3aebd"),
    "line": Shade("#d9dee6", "#36404e"),
    "ground": Shade("#ffffff", "#12171e"),
    "node-tint": Shade("#e9f1fd", "#152741"),
    "relation-tint": Shade("#fdf0e4", "#3a2513"),
}


def light(role: Role) -> str:
    return SHADES[role].light


def stream(space: str) -> Role:
    """The role of a space's own colour."""
    return "node" if space == "node" else "relation"


def tint(space: str) -> Role:
    """The role of the pale ground under a space's operations."""
    return "node-tint" if space == "node" else "relation-tint"


def dark_rules(scope: str) -> str:
    """CSS that recolours everything classed ``f-ROLE`` (fill) or ``s-ROLE`` (stroke)."""
    rules = "".join(
        f"{scope} .f-{role}{{fill:{shade.dark}}}{scope} .s-{role}{{stroke:{shade.dark}}}"
        for role, shade in SHADES.items()
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"
