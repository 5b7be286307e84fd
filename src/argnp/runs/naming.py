"""The name of a run folder that nobody named: the same command finds its run again."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

_ENDINGS: Final = re.compile(r"(\.(csv|tsv|parquet|smi|txt|gz))+$", re.IGNORECASE)
_AWKWARD: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST: Final = 60


def default_name(data: str, task: str, settings: Mapping[str, Any]) -> str:
    """``molecules-graph-regression-1a2b3c4d``, the last part a hash of ``settings``.

    ``data`` is what was typed: a file, a folder, or a name such as ``tu:MUTAG``.
    """
    last = data.replace("\\", "/").rstrip("/").rpartition("/")[2]
    readable = _AWKWARD.sub("-", _ENDINGS.sub("", last)).strip("-.")[:_LONGEST] or "data"
    content = msgspec.json.encode(settings, order="deterministic")
    return f"{readable}-{task}-{hashlib.sha256(content).hexdigest()[:8]}"
