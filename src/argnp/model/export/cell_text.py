"""Cells written out: a class in which every vertex is a line of its own."""

from argnp.arch import SKIP, Link
from argnp.arch.check import name_of
from argnp.arch.space import SpaceName
from argnp.model.export.operations import piece_of, short
from argnp.model.export.shape import LETTER, Shape, operation_name

WIDTH = 88  # columns of a line
_DIM: dict[SpaceName, str] = {"node": "NODE_DIM", "relation": "EDGE_DIM"}


def class_name(shape: Shape, cell: int) -> str:
    """Cells of one kind share a class: the first lacks an input, the last may lack vertices."""
    if shape.cells == 1:
        return "Cell"
    if cell == 0:
        return "FirstCell"
    return "LastCell" if cell == shape.cells - 1 else "MiddleCell"


def cell_class(shape: Shape, cell: int) -> str:
    """Source of the class of this cell."""
    return "\n".join(
        [
            f"class {class_name(shape, cell)}(nn.Module):",
            *_docstring(shape, cell),
            "",
            *_init(shape, cell),
            "",
            *_forward(shape, cell),
        ]
    )


def assignment(name: str, parts: list[str], indent: str = " " * 8) -> list[str]:
    """``name = a + b``, in one statement where it fits on a line."""
    line = f"{indent}{name} = {' + '.join(parts)}"
    if len(line) <= WIDTH:
        return [line]
    first, *others = parts
    return [
        f"{indent}{name} = {first}",
        *(f"{indent}{name} = {name} + {other}" for other in others),
    ]


def call(start: str, arguments: list[str], end: str = ")", indent: str = " " * 8) -> list[str]:
    """``start a, b)``, on one line where it fits, else each argument on its own."""
    line = f"{indent}{start}{', '.join(arguments)}{end}"
    if len(line) <= WIDTH:
        return [line]
    return [f"{indent}{start}", *(f"{indent}    {each}," for each in arguments), indent + end]


def gathered(shape: Shape, cell: int) -> list[str]:
    """Names of the vertices whose streams the cell's output is made of."""
    inputs = ["in0"] if cell == 0 else ["in0", "in1"]
    return [*inputs, *(str(v) for v in range(1, len(shape.architecture) + 1))]


def _ends(shape: Shape, cell: int) -> tuple[SpaceName, ...]:
    return shape.outputs if cell == shape.cells - 1 else shape.architecture.space.names


def _docstring(shape: Shape, cell: int) -> list[str]:
    count = len(shape.architecture)
    lines = [f'    """{count} vert{"ices" if count > 1 else "ex"}; ' + _pair(shape), ""]
    for name in _ends(shape, cell):
        letter = LETTER[name]
        lines.append(
            f"    ``{letter} = act(BN(W [{_bar(letter, gathered(shape, cell))}]))`` ends it."
        )
    if cell == 0:
        lines.append("    Both inputs, in0 and in1, are the encoded graph.")
    return [*lines, '    """']


def _pair(shape: Shape) -> str:
    if shape.relations:
        return "vertex i is a pair, nodes' features V_i and relations' features E_i."
    return "vertex i is the nodes' features V_i."


def _bar(letter: str, names: list[str]) -> str:
    shown = names if len(names) < 4 else [*names[:2], "..", names[-1]]
    return " | ".join(name if name == ".." else f"act({letter}_{name})" for name in shown)


def _init(shape: Shape, cell: int) -> list[str]:
    last = cell == shape.cells - 1
    lines = ["    def __init__(self) -> None:", "        super().__init__()"]
    for vertex in range(1, len(shape.architecture) + 1):
        for space in shape.architecture.space.names:
            if not shape.lives(space, vertex, last=last):
                continue
            for link in shape.operations(space, vertex):
                name = operation_name(space, vertex, link)
                lines.append(f"        self.{name} = {_constructor(shape, space, link)}")
    for space in _ends(shape, cell):
        blocks, dim = len(gathered(shape, cell)), _DIM[space]
        letter = LETTER[space]
        lines.append(f"        self.gather_{letter} = Gather({blocks} * {dim}, {dim}_OUT)")
    return lines


def _constructor(shape: Shape, space: SpaceName, link: Link) -> str:
    piece = piece_of(str(link.operation), undirected=shape.undirected)
    if space == "relation":
        return f"RelationOperation({piece}, NODE_DIM, EDGE_DIM)"
    if shape.relations:
        return f"NodeOperation({piece}, NODE_DIM, EDGE_DIM)"
    return f"UnguidedNodeOperation({piece}, NODE_DIM)"


def _forward(shape: Shape, cell: int) -> list[str]:
    letters = [LETTER[name] for name in shape.architecture.space.names]
    streams = [f"{letter}_{name}: Tensor" for name in ("in0", "in1") for letter in letters]
    ends = _ends(shape, cell)
    result = "Tensor" if len(ends) == 1 else "tuple[Tensor, Tensor]"
    lines = call(
        "def forward(", ["self", *streams, "edge_index: Tensor"], f") -> {result}:", "    "
    )
    lines.append(f'        """The cell\'s output, {_returned(ends)}."""')
    for vertex in range(1, len(shape.architecture) + 1):
        for space in shape.architecture.space.names:
            if shape.lives(space, vertex, last=cell == shape.cells - 1):
                lines += _vertex(shape, space, vertex)
    for space in ends:
        letter = LETTER[space]
        streams = [f"{letter}_{name}" for name in gathered(shape, cell)]
        start = "return" if len(ends) == 1 else f"{letter} ="
        lines += call(f"{start} self.gather_{letter}(", streams)
    return lines if len(ends) == 1 else [*lines, "        return V, E"]


def _returned(ends: tuple[SpaceName, ...]) -> str:
    shapes: dict[SpaceName, str] = {
        "node": "V (n, NODE_DIM_OUT)",
        "relation": "E (m, EDGE_DIM_OUT)",
    }
    return " and ".join(shapes[space] for space in ends)


def _vertex(shape: Shape, space: SpaceName, vertex: int) -> list[str]:
    letter = LETTER[space]
    links = shape.links(space, vertex)
    formula = " + ".join(f"{short(str(link.operation))}({_stream(space, link)})" for link in links)
    parts = [
        _stream(space, link)
        if link.operation == SKIP
        else f"self.{operation_name(space, vertex, link)}({_read(shape, link)})"
        for link in links
    ]
    name = f"{letter}_{vertex}"
    return [f"        # {name} = {formula}", *assignment(name, parts)]


def _stream(space: SpaceName, link: Link) -> str:
    return f"{LETTER[space]}_{name_of(link.source)}"


def _read(shape: Shape, link: Link) -> str:
    source = name_of(link.source)
    streams = f"V_{source}, E_{source}" if shape.relations else f"V_{source}"
    return f"{streams}, edge_index"
