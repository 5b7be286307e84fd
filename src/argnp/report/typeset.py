"""Text in drawings: how wide it is, and how names are written."""

from html import escape
from typing import Final

from argnp.arch.graph import IN0, IN1

FONTS: Final = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"

# Advance widths of the common grotesques in thousandths of the font size, a little generous.
_NARROW: Final = dict.fromkeys("ijl.,:;'|!", 290) | dict.fromkeys("frtI()[]-/ ", 350)
_WIDE: Final = dict.fromkeys("mwMW@", 900) | dict.fromkeys("CDGHNOQRU&", 760)
_OTHER_CAPITAL: Final = 690
_OTHER: Final = 580

_LONGEST_LABEL: Final = 14


def text_width(text: str, size: float) -> float:
    """Width that the text takes at this font size, rather too much than too little."""
    return sum(_advance(character) for character in text) * size / 1000


def _advance(character: str) -> int:
    fallback = _OTHER_CAPITAL if character.isupper() else _OTHER
    return _NARROW.get(character) or _WIDE.get(character) or fallback


def operation_label(operation: str | None, space: str) -> str:
    """What stands on a link: the operation without the letter its stream already tells."""
    if operation is None:
        return "mixture"
    prefix = "V_" if space == "node" else "E_"
    label = operation.removeprefix(prefix)
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def source_tag(source: int, cells: int) -> str:
    """Where a link comes from; without stacked cells both inputs are one stream."""
    if source > IN1:
        return str(source)
    if cells == 1:
        return "in"
    return "in0" if source == IN0 else "in1"


def subscripted(letter: str, index: str, size: float) -> str:
    """SVG spans of an italic letter with a subscript."""
    return (
        f'<tspan font-style="italic">{escape(letter)}</tspan>'
        f'<tspan dx="0.6" dy="{size * 0.22:.1f}" font-size="{size * 0.74:.1f}">'
        f"{escape(index)}</tspan>"
    )
