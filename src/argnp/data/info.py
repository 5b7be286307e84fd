"""What a dataset is, and what is odd about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from argnp.data.dataset import Dataset
from argnp.data.findings import Finding, Severity, findings
from argnp.data.pointclouds import PointCloudSource
from argnp.data.raw import Array
from argnp.data.schema import Features, Task
from argnp.data.splits import NAMES
from argnp.data.store import PackedStore

_ORDER: Mapping[Severity, int] = {"error": 0, "warning": 1, "info": 2}
SHOWN = 12  # classes, in a line
WARNING = "warning: "  # how a note begins that is more than information


@dataclass(frozen=True)
class Info:
    """Findings, the gravest first, and rows of a table: a quantity and its value."""

    findings: tuple[Finding, ...]
    rows: tuple[tuple[str, str], ...]


def describe(dataset: Dataset) -> Info:
    """Sizes, degrees, ranges and label balance; duplicates, leaks and columns that say nothing."""
    notes = [
        Finding("warning", note.removeprefix(WARNING))
        if note.startswith(WARNING)
        else Finding("info", note)
        for note in dataset.notes
    ]
    return Info(_ordered([*findings(dataset), *notes]), tuple(_table(dataset)))


def _ordered(found: list[Finding]) -> tuple[Finding, ...]:
    """The gravest first."""
    return tuple(sorted(found, key=lambda finding: _ORDER[finding.severity]))


def _table(dataset: Dataset) -> Iterator[tuple[str, str]]:
    schema, source = dataset.schema, dataset.source
    nodes, relations = source.sizes()
    what = f"{schema.task.level} rows" if dataset.by_row else "graphs"
    yield "name", dataset.name
    yield "task", schema.task.name
    yield "metric", dataset.metric
    yield "graphs", str(len(source))
    yield "splits", ", ".join(f"{n} {len(dataset.splits[n])}" for n in NAMES) + f" {what}"
    yield _spread("nodes", nodes)
    if isinstance(source, PackedStore):
        yield _spread("directed edges", np.diff(source.edge_ptr))
        yield _spread("degree", source.degree)
        yield "relations", schema.relations
        yield "node features", _features(schema.node, source.node)
        yield "edge features", _features(schema.edge, source.edge)
    elif isinstance(source, PointCloudSource):
        yield _spread("directed edges", relations)
        yield "relations", f"{schema.relations}, from the {source.neighbours} nearest of a point"
        yield "node features", _features(schema.node, source.clouds.points)
    if schema.encoding.kind != "none":
        yield "encoding", f"{schema.encoding.kind}:{schema.encoding.width}"
    if isinstance(source, PackedStore):
        yield "targets", _targets(schema.task, source.y)
    elif isinstance(source, PointCloudSource):
        yield "targets", _targets(schema.task, source.clouds.y)


def _spread(name: str, values: Array) -> tuple[str, str]:
    if not len(values):
        return name, "none"
    low, middle, high = values.min(), np.mean(values), values.max()
    return name, f"{low:g} to {high:g}, mean {middle:.4g}"


def _features(features: Features, rows: Array | None) -> str:
    if features.kind == "none" or rows is None:
        return "none"
    if features.kind == "codes":
        sizes = ", ".join(map(str, features.sizes))
        return f"{len(features.sizes)} columns of codes, of {sizes} values"
    if not len(rows):
        return f"{features.width} columns of numbers"
    return f"{features.width} columns of numbers, {rows.min():.4g} to {rows.max():.4g}"


def _targets(task: Task, y: Array | None) -> str:
    if y is None:
        return "none"
    if task.kind == "classification":
        counts = np.bincount(y[y >= 0], minlength=task.outputs)
        shares = counts / max(int(counts.sum()), 1)
        return _balance(task, shares, "classes") + _missing(y < 0)
    unknown = np.isnan(y)
    if task.kind == "multilabel":
        known = np.maximum((~unknown).sum(axis=0), 1)
        return _balance(task, np.nansum(y, axis=0) / known, "labels") + _missing(unknown)
    values = y[~unknown]
    return (
        f"{task.outputs} columns, {values.min():.4g} to {values.max():.4g}, "
        f"mean {values.mean():.4g}{_missing(unknown)}"
    )


def _balance(task: Task, shares: Array, what: str) -> str:
    """The share of each class, or of ones in each column of labels."""
    names = task.labels or tuple(map(str, range(task.outputs)))
    shown = [f"{name}: {share:.1%}" for name, share in zip(names, shares, strict=True)]
    more = f", .. ({task.outputs} {what})" if len(shown) > SHOWN else ""
    return ", ".join(shown[:SHOWN]) + more


def _missing(unknown: Array) -> str:
    return f", {unknown.mean():.1%} missing" if unknown.any() else ""
