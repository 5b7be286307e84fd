"""Durations, counts and widths as people give them."""

import re

import msgspec

from argnp.errors import UserError
from argnp.nets.widths import Widths

_SECONDS = {"s": 1, "m": 60, "h": 3600, "": 60}
_TIMES = {"": 1, "k": 1_000, "m": 1_000_000}


def parse_duration(text: str) -> float:
    """Seconds of ``90s``, ``30m``, ``1.5h``; a number alone is minutes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    if match is None or float(match[1]) == 0:
        raise UserError(f"--time-budget {text}: a duration is expected, as 90s, 30m or 1.5h")
    return float(match[1]) * _SECONDS[match[2]]


def parse_count(text: str) -> int:
    """``500k`` and ``1.2M`` as whole numbers."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kKmM]?)", text.strip())
    if match is None:
        raise UserError(f"--params {text}: a number of weights is expected, as 500k or 1.2M")
    return round(float(match[1]) * _TIMES[match[2].lower()])


def widths_of(width: int) -> dict[str, int]:
    """All widths in proportion to that of the node stream, as settings."""
    if width < 1:
        raise UserError(f"--width {width}: a width is 1 or more")
    scaled = msgspec.structs.asdict(Widths().scaled(width / Widths().node))
    return {f"widths.{name}": value for name, value in scaled.items()}
