"""Text of a cell to a number."""

import math
from typing import Final

_WORDS: Final = {"true": 1.0, "false": 0.0, "nan": math.nan, "": math.nan}
_LARGEST: Final = 3.4e38  # as networks compute, in single precision


def is_missing(cell: str) -> bool:
    """Whether the cell is blank or says so."""
    return math.isnan(_WORDS.get(cell.lower(), 0.0))


def to_number(cell: str) -> float | None:
    """The number, NaN where the cell is blank or says so, None where it is none that counts."""
    word = _WORDS.get(cell.lower())
    if word is not None:
        return word
    try:
        number = float(cell)
    except ValueError:
        return None
    # float() also takes "1_000" and "infinity", which no table means as a measurement.
    return number if abs(number) <= _LARGEST and "_" not in cell else None
