"""The network around the cells, written out: encoders, cells in a row, head."""

from argnp.arch.space import SpaceName
from argnp.data.schema import Features
from argnp.model.export.cell_text import call, class_name
from argnp.model.export.documentation import documentation
from argnp.model.export.shape import LETTER, Shape

NETWORK = "GraphNetwork"
_DIM: dict[SpaceName, str] = {"node": "NODE_DIM", "relation": "EDGE_DIM"}
_ARGUMENTS = {
    "x": "Tensor",
    "edge_index": "Tensor",
    "edge_attr": "Tensor",
    "encoding": "Tensor",
    "edge_label_index": "Tensor",
    "batch": "Tensor | None = None",
    "num_graphs": "int | None = None",
}


def network_class(shape: Shape) -> str:
    """Source of the class of one network."""
    lines = [
        f"class {NETWORK}(nn.Module):",
        '    """Encoders, cells, head; `forward` tells what goes in and what comes out."""',
        "",
        *_init(shape),
        "",
        *signature(shape),
        *documentation(shape),
        *_encode(shape),
        *_cells(shape),
        *_predict(shape),
    ]
    return "\n".join(lines)


def signature(shape: Shape) -> list[str]:
    """``def forward`` and what it takes."""
    arguments = [f"{name}: {_ARGUMENTS[name]}" for name in shape.arguments]
    return call("def forward(", ["self", *arguments], ") -> Tensor:", "    ")


def _init(shape: Shape) -> list[str]:
    schema, cells = shape.schema, range(shape.cells)
    lines = ["    def __init__(self) -> None:", "        super().__init__()"]
    lines += _encoder("encode_V", schema.node, "NODE_DIM")
    if shape.encoder_norm:
        lines.append("        self.norm_V = BatchNorm(NODE_DIM)")
    if schema.encoding.kind != "none":
        width = schema.encoding.width
        lines.append(f"        self.encode_position = nn.Linear({width}, NODE_DIM)")
    if shape.relations:
        lines += _encoder("encode_E", schema.edge, "EDGE_DIM")
    for cell in cells:
        lines.append(f"        self.{shape.cell_name(cell)} = {class_name(shape, cell)}()")
        if cell < shape.cells - 1:
            for space in shape.architecture.space.names:
                dim = _DIM[space]
                lines.append(
                    f"        self.back_{LETTER[space]}{cell + 1} = "
                    f"nn.Linear({dim}_OUT, {dim}, bias=False)"
                )
    arguments = [_head_width(shape), *map(repr, (shape.hidden, schema.task.outputs, shape.dropout))]
    return [*lines, f"        self.head = Head({', '.join(arguments)})"]


def _encoder(name: str, features: Features, width: str) -> list[str]:
    if features.kind == "codes":
        start, sizes = f"self.{name} = CodeEncoder(", ", ".join(map(str, features.sizes))
        comma = "," if len(features.sizes) == 1 else ""
        return call(start, [f"({sizes}{comma})", width])
    return [f"        self.{name} = nn.Linear({max(features.width, 1)}, {width})"]


def _head_width(shape: Shape) -> str:
    if shape.schema.task.level == "graph":
        return "2 * (NODE_DIM_OUT + EDGE_DIM_OUT)" if shape.relations else "2 * NODE_DIM_OUT"
    if "relation" in shape.outputs:
        return "EDGE_DIM_OUT"
    return "NODE_DIM_OUT" if shape.schema.task.level == "node" else "2 * NODE_DIM_OUT"


def _encode(shape: Shape) -> list[str]:
    lines = ["        V = self.encode_V(x)"]
    if shape.encoder_norm:
        lines.append("        V = self.norm_V(V)")
    if "encoding" in shape.arguments:
        lines.append("        V = V + self.encode_position(encoding)")
    if shape.relations:
        columns = "edge_attr"
        if "edge_attr" not in shape.arguments:
            columns = "V.new_ones(edge_index.shape[1], 1)"
        lines.append(f"        E = self.encode_E({columns})")
    return lines


def _cells(shape: Shape) -> list[str]:
    lines: list[str] = []
    letters = [LETTER[name] for name in shape.architecture.space.names]
    if shape.cells == 1:
        return _cell_call(shape, 0, letters * 2, [LETTER[space] for space in shape.outputs])
    inputs = [letters, letters]  # of the two cells before
    for cell in range(shape.cells):
        last = cell == shape.cells - 1
        made = (
            [LETTER[space] for space in shape.outputs]
            if last
            else [f"{letter}{cell + 1}" for letter in letters]
        )
        lines += _cell_call(shape, cell, [*inputs[0], *inputs[1]], made)
        if not last:
            lines += [f"        {name} = self.back_{name}({name})" for name in made]
            inputs = [inputs[1], made]
    return lines


def _cell_call(shape: Shape, cell: int, read: list[str], made: list[str]) -> list[str]:
    return call(f"{', '.join(made)} = self.{shape.cell_name(cell)}(", [*read, "edge_index"])


def _predict(shape: Shape) -> list[str]:
    lines, read = _read(shape)
    if shape.scaling is None:
        return [*lines, f"        y: Tensor = self.head({read})", "        return y"]
    return [
        *lines,
        f"        y: Tensor = self.head({read})",
        "        return y * y.new_tensor(TARGET_STD) + y.new_tensor(TARGET_MEAN)",
    ]


def _read(shape: Shape) -> tuple[list[str], str]:
    """Lines before the head, and the expression that it reads."""
    task = shape.schema.task
    if task.level == "graph":
        pool = "mean_and_max" if shape.readout == "mean-max" else "sum_and_max"
        lines = [
            "        batch, num_graphs = graphs_of(V, batch, num_graphs)",
            f"        read = {pool}(V, batch, num_graphs)",
        ]
        if shape.relations:
            lines += [
                f"        of_E = {pool}(E, batch[edge_index[0]], num_graphs)",
                "        read = torch.cat([read, of_E], 1)",
            ]
        return lines, "read"
    if task.level == "node":
        return [], "V"
    if "relation" in shape.outputs:
        return [], "E"
    return [], f"ends(V, {'edge_label_index' if task.pairs else 'edge_index'})"
