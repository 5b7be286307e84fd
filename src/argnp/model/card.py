"""README.md of a model folder: a card with the YAML head that model hubs read."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from argnp.arch import Architecture
from argnp.data.schema import Features, Schema
from argnp.model.manifest import Manifest, Metrics

# What JSON leaves as it is and YAML takes for the end of a line, or for no text.
_BREAKS: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_WHAT: Final = {"graph": "a graph", "node": "every node", "edge": "every edge"}


def write_card(
    manifest: Manifest,
    architecture: Architecture,
    metrics: Metrics,
    *,
    parameters: int,
    license_name: str | None = None,
) -> str:
    """The whole file."""
    head = _yaml(_head(manifest, metrics, license_name))
    return f"---\n{head}---\n\n{_body(manifest, architecture, metrics, parameters)}"


def _head(manifest: Manifest, metrics: Metrics, license_name: str | None) -> dict[str, Any]:
    task = manifest.schema.task
    tags = ["argnp", "graph-neural-network", "neural-architecture-search", task.name]
    if manifest.molecules is not None:
        tags += ["chemistry", "molecules"]
    results = [
        {"type": name, "value": value, "name": f"test {name}"}
        for name, value in metrics.test.items()
        if value is not None
    ]
    head: dict[str, Any] = {} if license_name is None else {"license": license_name}
    head |= {
        "library_name": "argnp",
        "pipeline_tag": "graph-ml",
        "tags": tags,
        "metrics": list(metrics.test) or [metrics.metric],
    }
    if results:
        entry = {
            "task": {"type": "graph-ml", "name": task.name},
            "dataset": {"name": manifest.name, "type": manifest.name},
            "metrics": results,
        }
        head["model-index"] = [{"name": manifest.name, "results": [entry]}]
    return head


def _body(manifest: Manifest, architecture: Architecture, metrics: Metrics, parameters: int) -> str:
    schema, count = manifest.schema, len(manifest.weights)
    several = f", {count} trainings of one architecture" if count > 1 else ""
    return f"""# {_line(manifest.name)}: {schema.task.name}

Predicts {_line(_predicted(manifest))} of {_what(manifest)}. The graph network was searched for
and trained by argnp {manifest.argnp}: {architecture.size}
vertices, {parameters:,} weights{several}.

## Use

```python
import argnp

model = argnp.load("this folder")
model.predict({_example(manifest)})
```

or `argnp predict FOLDER DATA -o predictions.csv`. The folder may be moved anywhere; loading it
runs no code from it and needs no training data. `checksums.json` guards every
file but this card, which is yours to edit.

## Results

{_table(metrics)}

Validation chose the network, so its numbers flatter; the test set was read once, at the end.{
        _averaged(manifest)
    }

## What it reads

- nodes: {_features(schema.node)}
- relations: {schema.relations}, {_features(schema.edge)}
- positional encoding: {_encoding(schema)}
{_molecules(manifest)}
Data of another kind than the training data gets an answer, too, and it may be a bad one.

## Files

`architecture.json` (the wiring), `model.json` (how data is read), {
        ", ".join(f"`{name}`" for name in manifest.weights)
    } (weights), `metrics.json`.
"""


def _what(manifest: Manifest) -> str:
    return "a molecule" if manifest.molecules else _WHAT[manifest.schema.task.level]


def _predicted(manifest: Manifest) -> str:
    task = manifest.schema.task
    names = ", ".join(manifest.target_names or task.labels)
    if task.kind == "classification":
        of = f" {manifest.target_names[0]}" if manifest.target_names else ""
        return f"the class{of} ({', '.join(task.labels) or f'0 to {task.outputs - 1}'})"
    if task.kind == "multilabel":
        return f"the probabilities of {names or f'{task.outputs} labels'}"
    return names or ("a number" if task.outputs == 1 else f"{task.outputs} numbers")


def _example(manifest: Manifest) -> str:
    return '["CCO", "c1ccccc1"]' if manifest.molecules is not None else "graphs"


def _table(metrics: Metrics) -> str:
    def shown(values: Mapping[str, float | None], name: str) -> str:
        value = values.get(name)
        return "" if value is None else f"{value:.4g}"

    names = dict.fromkeys([metrics.metric, *metrics.validation, *metrics.test])
    rows = [
        f"| {_line(name)} | {shown(metrics.validation, name)} | {shown(metrics.test, name)} |"
        for name in names
    ]
    return "\n".join(["| metric | validation | test |", "| --- | --- | --- |", *rows])


def _line(text: str) -> str:
    """Names as Markdown takes them within a line or a table's cell: no mark-up of their own."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
    return plain.replace("&", "&amp;").replace("<", "&lt;")


def _averaged(manifest: Manifest) -> str:
    return " Predictions are the mean over all trainings." if manifest.ensemble else ""


def _features(features: Features) -> str:
    if features.kind == "codes":
        return f"{len(features.sizes)} columns of codes ({', '.join(map(str, features.sizes))})"
    return f"{features.width} real numbers" if features.kind == "floats" else "no features"


def _encoding(schema: Schema) -> str:
    names = {"lap": "Laplacian eigenvectors", "rwse": "random-walk return probabilities"}
    kind = schema.encoding.kind
    return "none" if kind == "none" else f"{schema.encoding.width} {names[kind]}"


def _molecules(manifest: Manifest) -> str:
    if manifest.molecules is None:
        return ""
    featurizer = manifest.molecules.featurizer
    return (
        f"- molecules: SMILES, read by RDKit; featurizer {featurizer['name']}, "
        f"version {featurizer['version']}\n"
    )


def _yaml(value: Any, indent: str = "") -> str:
    """Block style."""
    lines = []
    for key, item in value.items():
        if isinstance(item, dict):
            lines.append(f"{indent}{key}:\n{_yaml(item, indent + '  ')}")
        elif isinstance(item, list):
            lines.append(f"{indent}{key}:\n")
            lines += [f"{indent}- {_entry(entry, indent + '  ')}" for entry in item]
        else:
            lines.append(f"{indent}{key}: {_scalar(item)}\n")
    return "".join(lines)


def _entry(entry: Any, indent: str) -> str:
    return _yaml(entry, indent).lstrip() if isinstance(entry, dict) else f"{_scalar(entry)}\n"


def _scalar(value: Any) -> str:
    """JSON's scalars are YAML's, nearly."""
    text = json.dumps(value, ensure_ascii=False)  # pairs of surrogates would be two characters
    if isinstance(value, float) and "e" in text and "." not in text:
        return text.replace("e", ".0e")  # without a dot it would be a word
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
