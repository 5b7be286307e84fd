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
    lines = [f'        """{what.capitalize()} ({rows}, {task.outputs}).', ""]
    lines += [f"        {name}: {told[name]}." for name in shape.arguments]
    return [*lines, '        """']


def _columns(rows: str, features: Features) -> str:
    if features.kind == "codes":
        return f"({rows}, {len(features.sizes)}) int64 codes"
    return f"({rows}, {features.width}) floats" if features.kind == "floats" else ""


def _encoding(shape: Shape) -> str:
    if shape.schema.encoding.kind == "lap":
        return "Laplacian eigenvectors"
    return "random-walk return probabilities"
