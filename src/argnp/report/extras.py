"""Optional files of a run that the report shows: ``report/*.json`` in the run folder.

``report/predictions.json``, the test set's truth against the chosen model's predictions::

    {"kind": "regression",
     "columns": [{"name": "logS", "truth": [-2.1, null], "prediction": [-1.9, -3.0]}]}
    {"kind": "classification", "labels": ["no", "yes"], "confusion": [[50, 3], [4, 43]]}

``confusion[i][j]`` counts examples of class i that were predicted as class j. A truth of null is
missing and not drawn.

``report/features.json``, what the vertices of the chosen network see, every feature vector
reduced to one number by the first principal component::

    {"kind": "points" | "molecule" | "graph",
     "examples": [{"title": "chair 7",
                   "positions": [[x, y, z], ..],          z may be left out
                   "relations": [[source, target], ..],
                   "labels": ["C", "O", ..],               may be left out
                   "vertices": [{"name": "V_1/E_1", "node": [one number per position],
                                 "relation": [one number per relation]}]}]}

``relation`` may be an empty list (no relation stream).

``report/explain.json``, what mattered for single predictions::

    {"method": "gradient times input, absolute value, sum over features",
     "examples": [{"title": "CCO", "truth": 1.0, "prediction": 0.8,
                   "positions": [[x, y], ..], "labels": ["C", "C", "O"],
                   "relations": [[0, 1], [1, 2]],
                   "node_importance": [..], "relation_importance": [..]}]}

Importances may have any scale and either sign; ``truth`` may be null. ``labels`` and
``relation_importance`` may be empty.

A file that is not like this is left out of the report, which then says so.
"""

import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any, Final

FOLDER: Final = "report"
_Json = dict[str, Any]


class MisshapenError(ValueError):
    """The file is not as this module's description says; the message says where."""


def read_extras(run_folder: Path) -> tuple[dict[str, _Json], list[str]]:
    """The files that are there and sound, by name without ending, and a line for each that is
    not sound."""
    found: dict[str, _Json] = {}
    complaints: list[str] = []
    for name, check in _CHECKS.items():
        path = run_folder / FOLDER / f"{name}.json"
        if not path.exists():
            continue
        try:
            value = json.loads(path.read_bytes(), parse_constant=lambda _: None)
            check(value)
        except (MisshapenError, ValueError, RecursionError) as error:
            complaints.append(f"{FOLDER}/{name}.json is left out: {error}")
        else:
            found[name] = value
    return found, complaints


def _predictions(value: Any) -> None:
    kind = _get(value, "kind", str, "file")
    if kind == "regression":
        for index, column in enumerate(_get(value, "columns", list, "file")):
            place = f"columns[{index}]"
            _get(column, "name", str, place)
            truth = _numbers(_get(column, "truth", list, place), f"{place}.truth")
            _numbers(_get(column, "prediction", list, place), f"{place}.prediction", len(truth))
    elif kind == "classification":
        labels = _get(value, "labels", list, "file")
        confusion = _get(value, "confusion", list, "file")
        if len(confusion) != len(labels):
            raise MisshapenError(f"confusion: {len(confusion)} rows, {len(labels)} labels")
        for index, row in enumerate(confusion):
            _numbers(row, f"confusion[{index}]", len(labels), missing=False)
    else:
        raise MisshapenError(f"kind: {kind!r} is neither regression nor classification")


def _features(value: Any) -> None:
    if _get(value, "kind", str, "file") not in ("points", "molecule", "graph"):
        raise MisshapenError("kind: points, molecule or graph is expected")
    for index, example in enumerate(_get(value, "examples", list, "file")):
        place = f"examples[{index}]"
        _graph(example, place)
        for number, vertex in enumerate(_get(example, "vertices", list, place)):
            inside = f"{place}.vertices[{number}]"
            _get(vertex, "name", str, inside)
            nodes, relations = len(example["positions"]), len(example["relations"])
            _numbers(_get(vertex, "node", list, inside), f"{inside}.node", nodes)
            relation = _get(vertex, "relation", list, inside)
            _numbers(relation, f"{inside}.relation", relations if relation else 0)


def _explain(value: Any) -> None:
    _get(value, "method", str, "file")
    for index, example in enumerate(_get(value, "examples", list, "file")):
        place = f"examples[{index}]"
        _graph(example, place)
        nodes, relations = len(example["positions"]), len(example["relations"])
        _numbers(_get(example, "node_importance", list, place), f"{place}.node_importance", nodes)
        on_relations = example.get("relation_importance") or []
        _numbers(on_relations, f"{place}.relation_importance", relations if on_relations else 0)


def _graph(example: Any, place: str) -> None:
    _get(example, "title", str, place)
    positions = _get(example, "positions", list, place)
    for index, position in enumerate(positions):
        _numbers(position, f"{place}.positions[{index}]", missing=False)
        if len(position) not in (2, 3):
            raise MisshapenError(f"{place}.positions[{index}]: 2 or 3 numbers are expected")
    for index, pair in enumerate(_get(example, "relations", list, place)):
        _numbers(pair, f"{place}.relations[{index}]", 2, missing=False)
        if not all(isinstance(end, int) and 0 <= end < len(positions) for end in pair):
            raise MisshapenError(f"{place}.relations[{index}]: no two nodes of this example")


def _get(value: Any, name: str, kind: type, place: str) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(name), kind):
        raise MisshapenError(f"{place}: {name!r} ({kind.__name__}) is missing")
    return value[name]


def _numbers(
    values: Any, place: str, length: int | None = None, *, missing: bool = True
) -> Sequence[float | None]:
    if not isinstance(values, list):
        raise MisshapenError(f"{place}: a list is expected")
    if length is not None and len(values) != length:
        raise MisshapenError(f"{place}: {len(values)} numbers, {length} are expected")
    for value in values:
        known = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (known and isfinite(value)) and not (missing and value is None):
            raise MisshapenError(f"{place}: {value!r} is no number")
    return values


_CHECKS: Final = {"predictions": _predictions, "features": _features, "explain": _explain}
