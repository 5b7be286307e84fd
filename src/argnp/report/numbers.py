"""Numbers as people read them."""

from math import floor, isfinite, log10

_MINUTE = 60
_HOUR = 3600


def figure(value: object, digits: int = 3) -> str:
    """A number with this many significant digits; a dash where there is none."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not isfinite(value):
        return "–"
    if value == 0:
        return "0"
    places = digits - 1 - floor(log10(abs(value)))
    if places < -digits or places > 3 + digits:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(0, places)}f}".replace("-", "−")


def count(value: object) -> str:
    """A whole number with thin spaces between the thousands."""
    if not isinstance(value, int) or isinstance(value, bool):
        return "–"
    return f"{value:,}".replace(",", "\u2009")


def duration(seconds: object) -> str:
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        return "–"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    hours, rest = divmod(seconds, _HOUR)
    return f"{hours:.0f} h {rest / _MINUTE:02.0f} min"


def size_in_bytes(value: object) -> str:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return "–"
    amount = float(value)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers that cover the range, about as many as wanted."""
    if not high > low:
        high = low + (abs(low) or 1.0)
    raw = (high - low) / max(1, wanted - 1)
    power = 10.0 ** floor(log10(raw))
    step = min((power * factor for factor in (1, 2, 2.5, 5, 10)), key=lambda s: abs(s - raw))
    first = floor(low / step + 1e-9)
    marks = [first * step]
    while marks[-1] < high - 1e-9 * step:
        marks.append((first + len(marks)) * step)
    return marks
