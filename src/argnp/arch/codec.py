"""Architectures as JSON, and back, with errors that say where."""

import json
from dataclasses import fields
from typing import Any, Final

from argnp.arch.check import name_of
from argnp.arch.graph import IN0, IN1, Architecture, Link, Vertex
from argnp.arch.space import Space

SCHEMA: Final = 1
_INPUTS: Final = {"in0": IN0, "in1": IN1}


def to_dict(architecture: Architecture) -> dict[str, Any]:
    """Plain lists, strings and numbers; a mixture link's operation is None."""
    space = architecture.space
    return {
        "schema": SCHEMA,
        "space": {
            field.name: list(value) if isinstance(value, tuple) else value
            for field in fields(space)
            for value in [getattr(space, field.name)]
        },
        "vertices": [
            {name: [_link_to_dict(link) for link in vertex.links(name)] for name in space.names}
            for vertex in architecture.vertices
        ],
    }


def from_dict(value: object) -> Architecture:
    """The architecture that `to_dict` wrote; ValueError names the place of any fault."""
    top = _object(value, "architecture", required=("schema", "space", "vertices"))
    if type(top["schema"]) is not int or top["schema"] != SCHEMA:
        raise ValueError(f"schema: {top['schema']!r} is not {SCHEMA}, the one this version reads")
    space = _space(top["space"])
    vertices = []
    for number, item in enumerate(_list(top["vertices"], "vertices"), start=1):
        vertex = _object(item, f"vertex {number}", required=space.names)
        node = _links(vertex["node"], "node", number)
        relation = _links(vertex["relation"], "relation", number) if space.relations else ()
        vertices.append(Vertex(node, relation))
    return Architecture(tuple(vertices), space)


def encode(architecture: Architecture) -> str:
    """JSON text; equal architectures give equal text."""
    return json.dumps(to_dict(architecture), indent=1) + "\n"


def decode(text: str | bytes) -> Architecture:
    """The architecture in this JSON text."""
    try:
        value = json.loads(text)
    except RecursionError:
        raise ValueError("no JSON of an architecture: nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits is one, too
        raise ValueError(f"no JSON: {str(error).partition(';')[0]}") from None
    return from_dict(value)


def _link_to_dict(link: Link) -> dict[str, Any]:
    source = link.source if link.source > IN1 else name_of(link.source)
    return {"source": source, "operation": link.operation}


def _space(value: object) -> Space:
    names = tuple(field.name for field in fields(Space))
    item = dict(_object(value, "space", required=names))
    for name in names:
        expected = type(getattr(Space(), name))
        if expected is tuple:
            texts = _list(item[name], f"space, {name}")
            if not all(isinstance(text, str) for text in texts):
                raise ValueError(f"space, {name}: names of operations are expected")
            item[name] = tuple(texts)
        elif type(item[name]) is not expected:
            raise ValueError(f"space, {name}: {item[name]!r} is no {expected.__name__}")
    try:
        return Space(**item)
    except ValueError as error:
        raise ValueError(f"space, {error}") from None


def _links(value: object, space: str, number: int) -> tuple[Link, ...]:
    links = []
    for position, item in enumerate(_list(value, f"vertex {number}, {space} links"), start=1):
        place = f"vertex {number}, {space} link {position}"
        link = _object(item, place, required=("source", "operation"))
        source, operation = link["source"], link["operation"]
        if isinstance(source, str) and source in _INPUTS:
            source = _INPUTS[source]
        elif type(source) is not int or source < 1:
            raise ValueError(f"{place}: source {source!r} is neither in0, in1 nor a vertex")
        if operation is not None and not isinstance(operation, str):
            raise ValueError(f"{place}: operation {operation!r} is no name")
        links.append(Link(source, operation))
    return tuple(links)


def _object(value: object, place: str, required: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{place}: an object is expected, not {type(value).__name__}")
    missing = [name for name in required if name not in value]
    unknown = [name for name in value if name not in required]
    if missing:
        raise ValueError(f"{place}: {missing[0]!r} is missing")
    if unknown:
        raise ValueError(f"{place}: {unknown[0]!r} is unknown; known are {', '.join(required)}")
    return value


def _list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{place}: a list is expected, not {type(value).__name__}")
    return value
