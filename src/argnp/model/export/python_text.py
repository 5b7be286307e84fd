"""A whole exported file: constants, pieces, cells, network, loader."""

from argnp.data.schema import Task
from argnp.model.export.cell_text import WIDTH, cell_class, class_name
from argnp.model.export.network_text import NETWORK, network_class, signature
from argnp.model.export.shape import Shape
from argnp.model.export.text import imports, pieces_used

ENSEMBLE = "Ensemble"
_MEANS = {
    "regression": "mean_value",
    "classification": "mean_softmax",
    "multilabel": "mean_sigmoid",
}


def entry(shape: Shape) -> str:
    """Name of the class that stands for the whole model."""
    return ENSEMBLE if shape.members > 1 else NETWORK


def python_text(shape: Shape) -> str:
    """Source of a module that needs torch alone (and safetensors to load the weights)."""
    cells = {class_name(shape, cell): cell_class(shape, cell) for cell in range(shape.cells)}
    classes = [*cells.values(), network_class(shape)]
    if shape.members > 1:
        classes.append(_ensemble(shape))
    own = [*classes, _loader(shape)]
    body = [*pieces_used("\n\n".join(own)), *own]
    code = "\n\n\n".join(body)
    return f"{_docstring(shape)}\n\n{imports(code)}\n\n{_constants(shape)}\n\n\n{code}\n"


def _docstring(shape: Shape) -> str:
    size, task = shape.architecture.size, shape.schema.task
    arguments = ", ".join(name for name in shape.arguments if name != "num_graphs")
    return f'''"""A graph network of {size} {"vertices" if size > 1 else "vertex"} for {task.name}.

    network = load()  # the weights are in the .safetensors file beside this one
    {_result(task)} = network({arguments})

V and E are the features of nodes and of relations, the directed edges of
``edge_index``; act is LeakyReLU(0.2), BN is BatchNorm.
"""'''


def _result(task: Task) -> str:
    return "values" if task.kind == "regression" else "logits"


def _constants(shape: Shape) -> str:
    widths, task = shape.widths, shape.schema.task
    lines = [f"NODE_DIM, NODE_DIM_OUT = {widths.node}, {widths.node_out}"]
    if shape.relations:
        lines.append(f"EDGE_DIM, EDGE_DIM_OUT = {widths.edge}, {widths.edge_out}")
    if task.labels:
        meaning = "Classes" if task.kind == "classification" else "Columns"
        lines += ["", f"# {meaning} of the output, in order.", *_tuple("LABELS", task.labels)]
    if shape.scaling is not None:
        lines += ["", "# Outputs are in the units of the targets: y * TARGET_STD + TARGET_MEAN."]
        lines += _tuple("TARGET_MEAN", shape.scaling.mean)
        lines += _tuple("TARGET_STD", shape.scaling.std)
    return "\n".join(lines)


def _tuple(name: str, values: tuple[str, ...] | tuple[float, ...]) -> list[str]:
    """Only literals: what a data set calls its columns is never more than a string."""
    literals = [_literal(value) for value in values]
    line = f"{name} = ({', '.join(literals)}{',' if len(literals) == 1 else ''})"
    if len(line) <= WIDTH:
        return [line]
    return [f"{name} = (", *(f"    {literal}," for literal in literals), ")"]


def _literal(value: str | float) -> str:
    """``repr``, with the double quotes that formatters prefer where that changes nothing else."""
    text = repr(value)
    if isinstance(value, str) and text.startswith("'") and '"' not in text:
        return f'"{text[1:-1]}"'
    return text


def _ensemble(shape: Shape) -> str:
    arguments = ", ".join(shape.arguments)
    return "\n".join(
        [
            f"class {ENSEMBLE}(nn.Module):",
            f'    """The mean of {shape.members} networks, trained from different seeds."""',
            "",
            "    def __init__(self) -> None:",
            "        super().__init__()",
            f"        members = ({NETWORK}() for _ in range({shape.members}))",
            "        self.members = nn.ModuleList(members)",
            "",
            *signature(shape),
            f'        """As `{NETWORK}.forward`."""',
            f"        inputs = ({arguments})",
            "        outputs = torch.stack([member(*inputs) for member in self.members])",
            f"        return {_MEANS[shape.schema.task.kind]}(outputs)",
        ]
    )


def _loader(shape: Shape) -> str:
    return f'''def load(weights: Path | None = None) -> {entry(shape)}:
    """With trained weights, in evaluation mode; default: the file beside this one."""
    from safetensors.torch import load_file

    network = {entry(shape)}()
    file = weights or Path(__file__).with_suffix(".safetensors")
    network.load_state_dict(load_file(file), assign=True)
    return network.eval()'''
