"""Settings as TOML. The standard library reads TOML but does not write it."""

import re
from collections.abc import Mapping
from typing import Any, Final

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED: Final = re.compile(r'["\\\x00-\x1f\x7f]')


def to_toml(settings: Mapping[str, Any]) -> str:
    """Nested settings as TOML text; ``tomllib.loads`` gives them back.

    Values are text, booleans, numbers, lists and tables of these. TOML has no null: a key whose
    value is None is left out. Tables inside lists are written inline.
    """
    lines: list[str] = []
    _table((), settings, lines)
    return "\n".join(lines).strip() + "\n"


def _table(path: tuple[str, ...], table: Mapping[str, Any], lines: list[str]) -> None:
    """Plain values first: what follows a header belongs to it."""
    if path:
        lines += ["", f"[{'.'.join(_key(part) for part in path)}]"]
    nested = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    lines += [
        f"{_key(key)} = {_value(value)}"
        for key, value in table.items()
        if key not in nested and value is not None
    ]
    for key, value in nested.items():
        _table((*path, key), value, lines)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case int():
            return int.__repr__(value)
        case float():
            return float.__repr__(value)
        case Mapping():
            present = [(key, item) for key, item in value.items() if item is not None]
            return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in present) + "}"
        case list() | tuple():
            return f"[{', '.join(_value(item) for item in value)}]"
        case _:
            raise TypeError(f"TOML cannot hold {value!r} of type {type(value).__name__}")


def _text(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
