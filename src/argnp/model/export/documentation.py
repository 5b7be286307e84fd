"""What goes into an exported network and what comes out, in words."""

from argnp.data.schema import Features
from argnp.model.export.shape import Shape


def documentation(shape: Shape) -> list[str]:
    """The docstring of the network's ``forward``."""
    task, schema = shape.schema.task, shape.schema
    rows = {"graph": "graphs", "node": "n", "edge": "l" if task.pairs else "m"}[task.level]
    told = {
        "x": _columns("n", schema.node) or "(n, 1) ones: the data has no node features",
        "edge_index": "(2, m) int64, sources above targets"
        + ("; each edge in both directions" if shape.undirected else ""),
        "edge_attr": _columns("m", schema.edge),
        "encoding": f"(n, {schema.encoding.width}) positional encoding: {_encoding(shape)}",
        "edge_label_index": "(2, l) int64, the pairs of nodes to predict",
        "batch": "(n,) int64, the graph of each node; left out, all are one graph",
        "num_graphs": "number of graphs; left out, the last one has a node",
    }
    what = "values" if task.kind == "regression" else "logits"
    lines = [f'        """{what.capitalize()} ({rows}, {task.outputs}).{_probabilities(shape)}', ""]
    lines += [f"        {name}: {told[name]}." for name in shape.arguments]
    return [*lines, *_codes(shape), '        """']


def _probabilities(shape: Shape) -> str:
    """What makes probabilities of the logits."""
    how = {"classification": "softmax(1)", "multilabel": "sigmoid()"}.get(shape.schema.task.kind)
    return f" Probabilities are their {how}." if how else ""


def _codes(shape: Shape) -> list[str]:
    """Where the integers of categories come from: nothing in the file makes them."""
    named = {"x": shape.schema.node, "edge_attr": shape.schema.edge}
    if not any(name in shape.arguments and named[name].kind == "codes" for name in named):
        return []
    return [
        "",
        "        A code is the place of a value, from 0, among those its column had in training;",
        "        the number of these stands for any other value. Of molecules, model.json of the",
        "        packaged model lists the values, under featurizer: a row of x per atom, and in",
        "        edge_attr a row per bond and direction.",
    ]


def _columns(rows: str, features: Features) -> str:
    if features.kind == "codes":
        return f"({rows}, {len(features.sizes)}) int64 codes"
    return f"({rows}, {features.width}) floats" if features.kind == "floats" else ""


def _encoding(shape: Shape) -> str:
    if shape.schema.encoding.kind == "lap":
        return "Laplacian eigenvectors"
    return "random-walk return probabilities"
