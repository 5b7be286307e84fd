"""Single predictions with what mattered: nodes and relations shaded by importance."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from argnp.report.blocks import Table
from argnp.report.importance import node_name, picture
from argnp.report.numbers import figure

_ROWS: Final = 100


@dataclass(frozen=True)
class Explained:
    title: str
    told: str
    svg: str
    table: Table


def explained(explain: Mapping[str, Any]) -> list[Explained]:
    return [_one(example) for example in explain["examples"]]


def _one(example: Mapping[str, Any]) -> Explained:
    labels = [str(label) for label in example.get("labels") or []]
    nodes = [value or 0.0 for value in example["node_importance"]]
    relations = [value or 0.0 for value in example.get("relation_importance") or []]
    told = f"predicted {_value(example.get('prediction'))}"
    if example.get("truth") is not None:
        told += f", truth {_value(example['truth'])}"
    names = [node_name(index, labels) for index in range(len(nodes))]
    rows = [("node", name, value) for name, value in zip(names, nodes, strict=True)]
    rows += [
        ("relation", f"{names[s]} to {names[t]}", value)
        for (s, t), value in zip(example["relations"], relations, strict=False)
    ]
    rows.sort(key=lambda row: -abs(row[2]))
    table = Table(
        "Most important first",
        ["What", "Which", "Importance"],
        [[kind, name, figure(value)] for kind, name, value in rows[:_ROWS]],
        words=frozenset({0, 1}),
    )
    svg = picture(
        example["positions"],
        example["relations"],
        labels=labels,
        orders=example.get("orders") or [],
        nodes=nodes,
        relations=relations,
        marked=example.get("marked") or [],
    )
    return Explained(example["title"], told, svg, table)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else figure(value)
