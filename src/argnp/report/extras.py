"""Optional files of a run that the report shows: ``report/*.json`` in the run folder.

``report/predictions.json``, the test set's truth against the chosen model's predictions::

    {"kind": "regression",
     "columns": [{"name": "logS", "truth": [-2.1, null], "prediction": [-1.9, -3.0]}],
     "of": 113}                                            may be left out
    {"kind": "classification", "labels": ["no", "yes"], "confusion": [[50, 3], [4, 43]]}
    {"kind": "multilabel", "labels": ["toxic"], "confusions": [[[50, 3], [4, 43]]]}

``confusion[i][j]`` counts examples of class i that were predicted as class j; ``confusions`` hold
such a matrix of no and yes for every label. A truth of null is missing and not drawn. ``of``
rows there are, where only some of them, drawn at random, are in the file.

``report/features.json``, what the vertices of the chosen network see, every feature vector
reduced to one number by the first principal component::

    {"kind": "points" | "molecule" | "graph",
     "of": "three examples of the test set",               may be left out
     "examples": [{"title": "chair 7",
                   "positions": [[x, y, z], ..],          z may be left out
                   "relations": [[source, target], ..],
                   "labels": ["C", "O", ..],               may be left out
                   "orders": [1, 2, ..],                   may be left out
                   "vertices": [{"name": "V_1/E_1", "node": [one number per position],
                                 "relation": [one number per relation]}]}]}

``relation`` may be an empty list (no relation stream). y points up, out of the paper z.
``labels`` make it a molecule, and ``orders`` are those of its bonds, one per relation.

``report/explain.json``, what mattered for single predictions::

    {"method": "Gradient times input, absolute value, sum over features",
     "of": "three examples of the test set",               may be left out
     "examples": [{"title": "CCO", "truth": 1.0, "prediction": 0.8,
                   "positions": [[x, y], ..], "labels": ["C", "C", "O"],
                   "relations": [[0, 1], [1, 2]],
                   "orders": [1, 2], "marked": [0],        may be left out
                   "node_importance": [..], "relation_importance": [..]}]}

Importances may have any scale and either sign; ``truth`` may be null. ``relation_importance``
may be empty. ``marked`` nodes are those the prediction is for. ``truth`` and ``prediction`` are
numbers or words.

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
    elif kind == "multilabel":
        labels = _get(value, "labels", list, "file")
        confusions = _get(value, "confusions", list, "file")
        if len(confusions) != len(labels):
            raise MisshapenError(f"confusions: {len(confusions)} of them, {len(labels)} labels")
        for label, matrix in enumerate(confusions):
            for row in range(2):
                place = f"confusions[{label}][{row}]"
                _numbers(_item(matrix, row, place), place, 2, missing=False)
    else:
        raise MisshapenError(f"kind: {kind!r} is not regression, classification or multilabel")


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
        for node in example.get("marked") or []:
            if not isinstance(node, int) or not 0 <= node < nodes:
                raise MisshapenError(f"{place}.marked: {node!r} is no node of this example")


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
    for name, length in (("labels", len(positions)), ("orders", len(example["relations"]))):
        told = example.get(name) or []
        if not isinstance(told, list) or len(told) not in (0, length):
            raise MisshapenError(f"{place}.{name}: {length} are expected")
    _numbers(example.get("orders") or [], f"{place}.orders", missing=False)


def _get(value: Any, name: str, kind: type, place: str) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get(name), kind):
        raise MisshapenError(f"{place}: {name!r} ({kind.__name__}) is missing")
    return value[name]


def _item(values: Any, index: int, place: str) -> Any:
    if not isinstance(values, list) or len(values) != 2:
        raise MisshapenError(f"{place}: a matrix of two rows is expected")
    return values[index]


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
